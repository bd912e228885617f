// The sum over all cores, as data movers see it: one of them receives sums of other
// cores and the total, the other sends the core's own sum to its parent.
#pragma once

#include "api/dataflow/dataflow_api.h"
#include "reduction_layout.hpp"

namespace reduction
{

constexpr uint32_t slots = get_compile_time_arg_val(SLOTS);
constexpr bool is_scalar = get_compile_time_arg_val(IS_SCALAR) != 0;
constexpr bool is_fpu = get_compile_time_arg_val(IS_FPU) != 0;
constexpr uint32_t page_bytes = get_tile_size(CB_INCOMING);
constexpr uint32_t sent_bytes = is_scalar ? NUMBER_BYTES : page_bytes;

inline volatile tt_l1_ptr uint32_t *word_at(uint32_t address)
{
    return reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);
}

inline void wait_and_reset(uint32_t semaphore)
{
    noc_semaphore_wait(word_at(get_semaphore(semaphore)), 1);
    noc_semaphore_set(word_at(get_semaphore(semaphore)), 0);
}

// `number` less than 2 * slots, in steps of the ring of slots.
inline uint32_t wrap(uint32_t number)
{
    return number >= slots ? number - slots : number;
}

// The buffer that the core's sum leaves from.
inline uint32_t last_buffer(uint32_t children, bool is_root)
{
    return children > 0 || is_scalar || is_root ? CB_OUT : CB_PARTIAL;
}

class Receiver
{
  public:
    // `first`: its first runtime argument.
    explicit Receiver(uint32_t first)
        : waiting(first + ARGUMENTS), children(get_arg_val<uint32_t>(first + CHILDREN)),
          is_root(get_arg_val<uint32_t>(first + IS_ROOT) != 0)
    {
        if (is_root) {
            const uint32_t x = get_arg_val<uint32_t>(first + FIRST_X),
                           y = get_arg_val<uint32_t>(first + FIRST_Y);

            cores = get_arg_val<uint32_t>(first + CORES);
            everybody =
                get_noc_multicast_addr(x, y, get_arg_val<uint32_t>(first + LAST_X),
                                       get_arg_val<uint32_t>(first + LAST_Y), 0);
        }
    }

    // Once, before the first sum: 16 times 1, in BF16.
    void prepare()
    {
        if (is_fpu && (is_scalar || is_root)) {
            cb_reserve_back(CB_ONES, 1);
            volatile tt_l1_ptr uint32_t *ones = word_at(get_write_ptr(CB_ONES));
            for (uint32_t i = 0; i < 8; i++) {
                ones[i] = 0x3f803f80;
            }
            cb_push_back(CB_ONES, 1);
        }
    }

    // Hands over sums of other cores, in the order of the tree. A child beyond the
    // first few may send once its slot is free again; the others know that theirs is.
    void receive()
    {
        for (uint32_t k = 0; k < children; k++) {
            cb_reserve_back(CB_INCOMING, 1);
            if (k >= slots) {
                const uint32_t at = waiting + 2 * (k - slots);
                noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(at),
                                               get_arg_val<uint32_t>(at + 1),
                                               get_semaphore(slots + CREDIT)),
                                  1);
            }
            wait_and_reset(slot);
            cb_push_back(CB_INCOMING, 1);
            slot = wrap(slot + 1);
        }
    }

    // Sends the total from the root to all cores; waits for it on the others.
    void total()
    {
        cb_reserve_back(CB_RESULT, 1);
        if (is_root) {
            share();
        } else {
            wait_and_reset(slots + DONE);
        }
        cb_push_back(CB_RESULT, 1);
    }

  private:
    uint32_t waiting;
    uint32_t children;
    bool is_root;
    uint32_t cores = 0;
    uint64_t everybody = 0;
    uint32_t slot = 0;

    void share()
    {
        const uint32_t last = last_buffer(children, true);
        const uint32_t to = get_write_ptr(CB_RESULT);

        cb_wait_front(last, 1);
        const uint32_t from = get_read_ptr(last);
        if (cores == 1) {
            noc_async_write(from, get_noc_addr(to), NUMBER_BYTES);
        } else {
            noc_async_write_multicast_loopback_src(from, everybody | to, NUMBER_BYTES,
                                                   cores);
            // Goes the same way, so it cannot arrive before the total.
            noc_semaphore_set_multicast(get_semaphore(slots + ONE),
                                        everybody | get_semaphore(slots + DONE),
                                        cores - 1);
        }
        noc_async_write_barrier();
        cb_pop_front(last, 1);
    }
};

class Sender
{
  public:
    explicit Sender(uint32_t first)
        : is_root(get_arg_val<uint32_t>(first + IS_ROOT) != 0),
          last(last_buffer(get_arg_val<uint32_t>(first + CHILDREN), is_root))
    {
        if (is_root) {
            return;
        }
        order = get_arg_val<uint32_t>(first + ORDER);
        slot = order % slots;
        step = get_arg_val<uint32_t>(first + PARENT_CHILDREN) % slots;
        parent = get_noc_addr(get_arg_val<uint32_t>(first + PARENT_X),
                              get_arg_val<uint32_t>(first + PARENT_Y), 0);
        incoming = get_write_ptr(CB_INCOMING);  // which lies there on all cores
    }

    void send()
    {
        if (is_root) {
            return;
        }
        cb_wait_front(last, 1);
        if (order >= slots) {
            wait_and_reset(slots + CREDIT);
        }
        noc_async_write(get_read_ptr(last), parent | (incoming + slot * page_bytes),
                        sent_bytes);
        noc_async_write_barrier();
        noc_semaphore_inc(parent | get_semaphore(slot), 1);
        cb_pop_front(last, 1);
        slot = wrap(slot + step);
    }

  private:
    bool is_root;
    uint32_t last;
    uint32_t order = 0;
    uint32_t slot = 0;
    uint32_t step = 0;
    uint64_t parent = 0;
    uint32_t incoming = 0;
};

}  // namespace reduction
