/* Costs of tile operations, and what results say of cores. */
#include "tools/gridloom/compare/estimate_tensix.h"

#include <math.h>

#include "traces/file/json_member.h"

enum {
    FACES = 4,
    TILE = 1024, /* numbers */
    NX = 64,     /* numbers along x and y of a core's tiles */
    NY = 16,
};

/* A loop over the vectors of a tile, so many instructions each. */
static double sfpu(const ArchParams *chip, bool is_fp32, const char *slots)
{
    const char *lanes = is_fp32 ? "sfpu.fp32_lane_count" : "sfpu.lane_count";

    return TILE / estimate_key(chip, lanes) * estimate_key(chip, slots) +
           FACES * estimate_key(chip, "sfpu.face_extra_slots") +
           estimate_key(chip, "sfpu.start_end_cycles");
}

EstimateTiles estimate_tiles_of(const ArchParams *chip, bool is_fp32)
{
    const double sync =
        estimate_key(chip, "tensix.mop_sync_cycles unpack.before_cycles");
    EstimateTiles self = {
        .is_fp32 = is_fp32,
        .fetch_t0 = estimate_key(chip, "riscv.t0_miss_cycles_per_instruction"),
        .fetch_t1 = estimate_key(chip, "riscv.t1_miss_cycles_per_instruction"),
        .unpack_two =
            estimate_key(chip, is_fp32 ? "unpack.two_operand_fp32_cycles_per_tile"
                                       : "unpack.two_operand_bf16_cycles_per_tile"),
        .unpack_one =
            estimate_key(chip, is_fp32 ? "unpack.one_operand_fp32_cycles_per_tile"
                                       : "unpack.one_operand_bf16_cycles_per_tile"),
        .unpack_dst = estimate_key(chip, "unpack.dst_fp32_cycles_per_tile"),
        .add = sfpu(chip, is_fp32, "sfpu.add_slots_per_vector"),
        .mul = sfpu(chip, is_fp32,
                    is_fp32 ? "sfpu.mul_fp32_slots_per_vector"
                            : "sfpu.mul_bf16_slots_per_vector"),
        .scale = sfpu(chip, is_fp32, "sfpu.scale_slots_per_vector"),
        .sum = estimate_key(chip, "sfpu.tile_to_scalar_cycles sfpu.start_end_cycles"),
        .transpose = estimate_key(chip, "fpu.transpose_fp32_cycles_per_tile"),
        .pack = estimate_key(chip, is_fp32 ? "pack.fp32_cycles_per_tile"
                                           : "pack.bf16_cycles_per_tile"),
    };

    self.set_up_two =
        sync + self.fetch_t0 * estimate_key(chip, "tensix.binary_init_t0_cycles "
                                                  "unpack.binary_call_cycles");
    self.set_up_one =
        sync + self.fetch_t0 * estimate_key(chip, "tensix.copy_init_t0_cycles "
                                                  "unpack.copy_call_cycles");
    self.ask = self.fetch_t1 * estimate_key(chip, "unpack.fp32_mailbox_cycles");
    self.hand_over = estimate_key(chip, "unpack.fp32_poll_cycles") + self.ask +
                     self.fetch_t0 * estimate_key(chip, "unpack.fp32_config_cycles") +
                     estimate_key(chip, "tensix.semaphore_post_cycles");
    self.tail = estimate_key(chip, "tensix.commit_stream_cycles "
                                   "tensix.semaphore_post_cycles pack.setup_cycles") +
                self.pack +
                estimate_key(chip, "circular_buffer.counter_store_cycles "
                                   "circular_buffer.counter_visible_cycles");
    return self;
}

void estimate_add_copies(Estimate *self, const EstimateTiles *tiles, double copies)
{
    estimate_add(self, ESTIMATE_MEMORY, "tiles from L1", copies * tiles->unpack_dst,
                 "unpack.dst_fp32_cycles_per_tile",
                 "%.0f tiles into Dst, %.0f cycles each", copies, tiles->unpack_dst);
    estimate_add(self, ESTIMATE_SET_UP, "hand-overs", copies * tiles->hand_over,
                 "unpack.fp32_poll_cycles unpack.fp32_mailbox_cycles "
                 "unpack.fp32_config_cycles tensix.semaphore_post_cycles "
                 "riscv.t0_miss_cycles_per_instruction "
                 "riscv.t1_miss_cycles_per_instruction",
                 "for each the math thread makes way in Dst, asks and is told: %.4g "
                 "cycles",
                 tiles->hand_over);
}

bool estimate_cores_read(EstimateCores *self, JsonObject *parameters, GError **error)
{
    double nx;
    double ny;

    *self = (EstimateCores){0};
    if (trace_json_number(parameters, "nx", 0) < 1) {
        return estimate_count(parameters, "rows", &self->rows, error) &&
               estimate_count(parameters, "cols", &self->cols, error) &&
               estimate_count(parameters, "tiles", &self->tiles, error);
    }
    if (!estimate_count(parameters, "nx", &nx, error) ||
        !estimate_count(parameters, "ny", &ny, error) ||
        !estimate_count(parameters, "nz", &self->tiles, error)) {
        return false;
    }
    self->cols = ceil(nx / NX);
    self->rows = ceil(ny / NY);
    self->is_padded = nx < self->cols * NX || ny < self->rows * NY;
    return true;
}

double estimate_device_cycles(const Estimate *self, JsonObject *result)
{
    JsonObject *metrics = trace_json_object(result, "metrics");
    const double seconds = trace_json_number(result, "seconds", 0);
    const double device = trace_json_number(metrics, "device_seconds", seconds);

    return seconds > 0 ? self->simulated * fmin(1, device / seconds) : self->simulated;
}

double estimate_lane(JsonObject *result, const char *lane, const char *reason)
{
    JsonObject *units =
        trace_json_object(trace_json_object(result, "metrics"), "units");
    JsonObject *uses = trace_json_object(units, lane);
    double all = 0;

    if (uses == NULL) {
        return NAN;
    }
    g_autoptr(GList) names = json_object_get_members(uses);

    for (GList *name = names; name != NULL; name = name->next) {
        all += trace_json_number(uses, name->data, 0);
    }
    return all > 0 ? trace_json_number(uses, reason, 0) / all : NAN;
}
