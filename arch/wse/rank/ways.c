/* Finds who does the same in a rank. */
#include "arch/wse/rank/ways.h"

/* Forgets ways that nobody goes any more. */
static void forget_unused(WseRank *rank)
{
    guint kept = 0;

    for (guint i = 0; i < rank->hop_count; i++) {
        rank->hops[kept] = rank->hops[i];
        kept += rank->hops[i].lanes != 0;
    }
    rank->hop_count = kept;
    kept = 0;
    for (guint i = 0; i < rank->send_count; i++) {
        rank->sends[kept] = rank->sends[i];
        kept += rank->sends[i].lanes != 0;
    }
    rank->send_count = kept;
    kept = 0;
    for (guint i = 0; i < rank->thread_count; i++) {
        rank->threads[kept] = rank->threads[i];
        kept += rank->threads[i].lanes != 0;
    }
    rank->thread_count = kept;
}

static bool is_roomy(const WseRank *rank, const WseWays *ways)
{
    return rank->hop_count + ways->hop_count <= WSE_RANK_WAYS &&
           rank->send_count + ways->send_count <= WSE_RANK_WAYS &&
           rank->thread_count + ways->thread_count <= WSE_RANK_WAYS;
}

bool wse_ways_have_room(WseRank *rank, const WseWays *ways)
{
    if (!is_roomy(rank, ways)) {
        forget_unused(rank);
    }
    return is_roomy(rank, ways);
}

static bool is_same_hop(const WseRankHop *one, const WseRankHop *other)
{
    return one->slot == other->slot && one->link == other->link &&
           one->from == other->from && one->over == other->over &&
           one->next == other->next && one->into == other->into;
}

static void add_hop(WseRank *rank, const WseRankHop *hop, uint64_t lane)
{
    guint at = 0;

    while (at < rank->hop_count && !is_same_hop(&rank->hops[at], hop)) {
        at++;
    }
    if (at == rank->hop_count) {
        for (; at > 0 && rank->hops[at - 1].slot > hop->slot; at--) {
            rank->hops[at] = rank->hops[at - 1];
        }
        rank->hops[at] = *hop;
        rank->hop_count++;
    }
    rank->hops[at].lanes |= lane;
}

static bool is_same_send(const WseRankSend *one, const WseRankSend *other)
{
    return one->queue == other->queue && one->slot == other->slot &&
           one->from == other->from && one->to == other->to;
}

static void add_send(WseRank *rank, const WseRankSend *send, uint64_t lane)
{
    guint at = 0;

    while (at < rank->send_count && !is_same_send(&rank->sends[at], send)) {
        at++;
    }
    if (at == rank->send_count) {
        for (; at > 0 && rank->sends[at - 1].queue > send->queue; at--) {
            rank->sends[at] = rank->sends[at - 1];
        }
        rank->sends[at] = *send;
        rank->send_count++;
    }
    rank->sends[at].lanes |= lane;
}

static bool is_same_thread(const WseRankThread *one, const WseRankThread *other)
{
    return one->index == other->index && one->input == other->input &&
           one->output == other->output && one->cycles == other->cycles &&
           one->reissue == other->reissue;
}

static void add_thread(WseRank *rank, const WseRankThread *thread, uint64_t lane)
{
    guint at = 0;

    while (at < rank->thread_count && !is_same_thread(&rank->threads[at], thread)) {
        at++;
    }
    if (at == rank->thread_count) {
        for (; at > 0 && rank->threads[at - 1].index > thread->index; at--) {
            rank->threads[at] = rank->threads[at - 1];
        }
        rank->threads[at] = *thread;
        rank->thread_count++;
    }
    rank->threads[at].lanes |= lane;
}

void wse_ways_add(WseRank *rank, const WseWays *ways, uint64_t lane)
{
    for (guint i = 0; i < ways->hop_count; i++) {
        add_hop(rank, &ways->hops[i], lane);
    }
    for (guint i = 0; i < ways->send_count; i++) {
        add_send(rank, &ways->sends[i], lane);
    }
    for (guint i = 0; i < ways->thread_count; i++) {
        add_thread(rank, &ways->threads[i], lane);
    }
}
