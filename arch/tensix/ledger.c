/* Checks a kernel's use of a circular buffer call by call. */
#include "arch/tensix/ledger.h"

#include "arch/error.h"
#include "sim/narrow.h"

static bool refuse(GError **error, const char *call, guint cb, guint pages, char *why)
{
    (void) arch_refuse(error, "%s(%u, %u): %s", call, cb, pages, why);
    g_free(why);
    return false;
}

/* Pages lie side by side: `pages` from `count` on must not go round the end. */
static bool check_pages(const CircularBuffer *buffer,
                        const char *call,
                        guint pages,
                        uint64_t count,
                        GError **error)
{
    if (buffer->page_count == 0) {
        return refuse(error, call, buffer->index, pages,
                      g_strdup("this core has no such circular buffer"));
    }
    if (pages == 0 || pages > buffer->page_count) {
        return refuse(
            error, call, buffer->index, pages,
            g_strdup_printf("the buffer has 1..%u pages", buffer->page_count));
    }
    guint place = sim_u32(count % buffer->page_count);

    return place + pages <= buffer->page_count ||
           refuse(error, call, buffer->index, pages,
                  g_strdup_printf("goes round the end of the buffer: page %u of "
                                  "%u is next; move it in equal parts",
                                  place, buffer->page_count));
}

bool tensix_ledger_wait(TensixCbLedger *self,
                        const CircularBuffer *buffer,
                        guint pages,
                        GError **error)
{
    if (!check_pages(buffer, "cb_wait_front", pages, self->popped, error)) {
        return false;
    }
    self->waited = MAX(self->waited, pages);
    return true;
}

bool tensix_ledger_pop(TensixCbLedger *self,
                       const CircularBuffer *buffer,
                       guint pages,
                       GError **error)
{
    if (!check_pages(buffer, "cb_pop_front", pages, self->popped, error)) {
        return false;
    }
    if (pages > self->waited && !buffer->is_filled) {
        return refuse(error, "cb_pop_front", buffer->index, pages,
                      g_strdup_printf("cb_wait_front has waited for %u pages, pop at "
                                      "most so many",
                                      self->waited));
    }
    self->waited -= MIN(self->waited, pages);
    self->popped += pages;
    return true;
}

bool tensix_ledger_reserve(TensixCbLedger *self,
                           const CircularBuffer *buffer,
                           guint pages,
                           GError **error)
{
    if (!check_pages(buffer, "cb_reserve_back", pages, self->pushed, error)) {
        return false;
    }
    self->reserved = MAX(self->reserved, pages);
    return true;
}

bool tensix_ledger_push(TensixCbLedger *self,
                        const CircularBuffer *buffer,
                        guint pages,
                        GError **error)
{
    if (!check_pages(buffer, "cb_push_back", pages, self->pushed, error)) {
        return false;
    }
    if (pages > self->reserved) {
        return refuse(error, "cb_push_back", buffer->index, pages,
                      g_strdup_printf("cb_reserve_back has reserved %u pages, push at "
                                      "most so many",
                                      self->reserved));
    }
    self->reserved -= pages;
    self->pushed += pages;
    return true;
}

bool tensix_ledger_may_read(const TensixCbLedger *self,
                            const CircularBuffer *buffer,
                            guint offset,
                            GError **error)
{
    return offset < self->waited ||
           (buffer->is_filled && offset < buffer->page_count) ||
           arch_refuse(
               error,
               "circular buffer %u: tile %u is read, cb_wait_front has waited for %u",
               buffer->index, offset, self->waited);
}

bool tensix_ledger_may_write(const TensixCbLedger *self,
                             const CircularBuffer *buffer,
                             guint offset,
                             GError **error)
{
    return offset < self->reserved ||
           arch_refuse(
               error,
               "circular buffer %u: page %u is written, cb_reserve_back has reserved "
               "%u",
               buffer->index, offset, self->reserved);
}
