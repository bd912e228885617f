/* The memory of a run: one account that all its parts take from, on any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct SimAccount SimAccount;

/* `limit_bytes` of 0 is no limit. */
SimAccount *sim_account_new(uint64_t limit_bytes);
void sim_account_free(SimAccount *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimAccount, sim_account_free)

uint64_t sim_account_limit(const SimAccount *self); /* UINT64_MAX: none */

/* Returns false, and takes nothing, if the bytes would pass the limit. */
bool sim_account_take(SimAccount *self, uint64_t bytes);
void sim_account_give(SimAccount *self, uint64_t bytes);

/* The same for callers that cannot do without: if it returns false the run is over, see
 * sim_account_complaint(). `what` (a literal) wants the bytes. */
bool sim_account_need(SimAccount *self, const char *what, uint64_t bytes);

/* Says what wanted how much, after a failed sim_account_need(); else NULL. The caller
 * frees it. */
char *sim_account_complaint(const SimAccount *self);
bool sim_account_has_failed(const SimAccount *self);

/* "memory limit of 4 GiB passed: WHAT wanted 3 MiB more"; the caller frees it. */
char *sim_account_describe(const SimAccount *self, const char *what, uint64_t bytes);

/* Three quarters of the machine's memory, or of what its control group may use. */
uint64_t sim_account_usual_limit(void);
