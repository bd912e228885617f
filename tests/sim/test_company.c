/* Tests of company: whoever is faster goes on, and the other way is tried now and then.
 */
#include "sim/parallel/company.h"
#include "tests/sim/support.h"

enum {
    WINDOW_US = 100,
    EVENTS = 600, /* of a window */
    SECOND_US = 1000000,
};

/* A machine on which a window takes so long, in us. */
typedef struct {
    gint64 in_company;
    gint64 alone;
} Machine;

/* Runs windows for a second of host time; the share of time that went to working alone.
 */
static double share_alone(Company *company, Machine machine)
{
    gint64 now = company->began + 1;
    gint64 alone = 0;
    uint64_t events = company->events;
    const gint64 end = now + SECOND_US;

    while (now < end) {
        const bool is_alone = company_is_alone(company, now, events);

        now += is_alone ? machine.alone : machine.in_company;
        alone += is_alone ? machine.alone : 0;
        events += EVENTS;
    }
    return (double) alone / SECOND_US;
}

static void company_goes_on_where_it_is_faster(void **state)
{
    Company company = {0};
    const double share = share_alone(&company, (Machine){WINDOW_US, 2 * WINDOW_US});

    (void) state;
    assert_true(share > 0.01); /* it was tried */
    assert_true(share < 0.1);
}

static void one_goes_on_alone_where_that_is_faster(void **state)
{
    Company company = {0};
    const double share = share_alone(&company, (Machine){3 * WINDOW_US, WINDOW_US});

    (void) state;
    assert_true(share > 0.9);
    assert_true(share < 0.99);
}

static void the_choice_follows_the_machine(void **state)
{
    const Machine busy = {4 * WINDOW_US, WINDOW_US};
    const Machine quiet = {WINDOW_US, 2 * WINDOW_US};
    Company company = {0};

    (void) state;
    assert_true(share_alone(&company, quiet) < 0.1);
    assert_true(share_alone(&company, busy) > 0.7);
    assert_true(share_alone(&company, busy) > 0.9);
    assert_true(share_alone(&company, quiet) < 0.4);
    assert_true(share_alone(&company, quiet) < 0.1);
}

/* Windows that take long are few: nothing is tried before there were some. */
static void few_windows_are_run_in_company(void **state)
{
    Company company = {0};

    (void) state;
    for (gint64 i = 1; i < 16; i++) {
        assert_false(company_is_alone(&company, i * SECOND_US, (uint64_t) i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(company_goes_on_where_it_is_faster),
        cmocka_unit_test(one_goes_on_alone_where_that_is_faster),
        cmocka_unit_test(the_choice_follows_the_machine),
        cmocka_unit_test(few_windows_are_run_in_company),
    };

    return cmocka_run_group_tests_name("sim.company", tests, NULL, NULL);
}
