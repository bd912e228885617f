/* Turns the fields of a JSON object into an event. */
#include "traces/reading/noc_events/element.h"

#include "traces/error.h"

enum {
    NAME_MAXIMUM = 64, /* letters of an unknown type that are kept */
    VC_MAXIMUM = 15,
};

typedef enum {
    FIELD_PROC,
    FIELD_NOC,
    FIELD_VC,
    FIELD_SX,
    FIELD_SY,
    FIELD_DX,
    FIELD_DY,
    FIELD_MCAST_START_X,
    FIELD_MCAST_START_Y,
    FIELD_MCAST_END_X,
    FIELD_MCAST_END_Y,
    FIELD_NUM_BYTES,
    FIELD_TYPE,
    FIELD_TIMESTAMP,
    FIELD_ZONE,
    FIELD_ZONE_PHASE,
    FIELD_DEVICE,
    FIELD_COUNT,
} Field;

/* The fields of an object; one that is absent or null is SCANNER_NULL. */
typedef struct {
    ScannerValue values[FIELD_COUNT];
} Fields;

/* How a kind of event gives its target. */
typedef enum {
    STATE_NONE,
    STATE_SET,
    STATE_USED,
} State;

typedef struct {
    const char *name;
    TraceNocMove move;
    State state;
} Kind;

static const char *const field_names[FIELD_COUNT] = {
    [FIELD_PROC] = "proc",
    [FIELD_NOC] = "noc",
    [FIELD_VC] = "vc",
    [FIELD_SX] = "sx",
    [FIELD_SY] = "sy",
    [FIELD_DX] = "dx",
    [FIELD_DY] = "dy",
    [FIELD_MCAST_START_X] = "mcast_start_x",
    [FIELD_MCAST_START_Y] = "mcast_start_y",
    [FIELD_MCAST_END_X] = "mcast_end_x",
    [FIELD_MCAST_END_Y] = "mcast_end_y",
    [FIELD_NUM_BYTES] = "num_bytes",
    [FIELD_TYPE] = "type",
    [FIELD_TIMESTAMP] = "timestamp",
    [FIELD_ZONE] = "zone",
    [FIELD_ZONE_PHASE] = "zone_phase",
    [FIELD_DEVICE] = "src_device_id",
};

/* tt-metal, tools/profiler/event_metadata.hpp, NocEventType. */
static const Kind kinds[TRACE_NOC_KIND_COUNT] = {
    [TRACE_NOC_ZONE_BEGIN] = {.name = "zone begin"},
    [TRACE_NOC_ZONE_END] = {.name = "zone end"},
    [TRACE_NOC_READ] = {"READ", TRACE_NOC_MOVES_READ, STATE_NONE},
    [TRACE_NOC_READ_SET_STATE] = {.name = "READ_SET_STATE", .state = STATE_SET},
    [TRACE_NOC_READ_SET_TRID] = {.name = "READ_SET_TRID"},
    [TRACE_NOC_READ_WITH_STATE] = {"READ_WITH_STATE", TRACE_NOC_MOVES_READ, STATE_USED},
    [TRACE_NOC_READ_WITH_STATE_AND_TRID] = {"READ_WITH_STATE_AND_TRID",
                                            TRACE_NOC_MOVES_READ, STATE_USED},
    [TRACE_NOC_READ_BARRIER_START] = {.name = "READ_BARRIER_START"},
    [TRACE_NOC_READ_BARRIER_END] = {.name = "READ_BARRIER_END"},
    [TRACE_NOC_READ_BARRIER_WITH_TRID] = {.name = "READ_BARRIER_WITH_TRID"},
    [TRACE_NOC_READ_DRAM_SHARDED_SET_STATE] = {.name = "READ_DRAM_SHARDED_SET_STATE",
                                               .state = STATE_SET},
    [TRACE_NOC_READ_DRAM_SHARDED_WITH_STATE] = {"READ_DRAM_SHARDED_WITH_STATE",
                                                TRACE_NOC_MOVES_READ, STATE_USED},
    [TRACE_NOC_WRITE] = {"WRITE_", TRACE_NOC_MOVES_WRITE, STATE_NONE},
    [TRACE_NOC_WRITE_SET_TRID] = {.name = "WRITE_SET_TRID"},
    [TRACE_NOC_WRITE_WITH_TRID] = {"WRITE_WITH_TRID", TRACE_NOC_MOVES_WRITE,
                                   STATE_NONE},
    [TRACE_NOC_WRITE_INLINE] = {"WRITE_INLINE", TRACE_NOC_MOVES_INLINE, STATE_NONE},
    [TRACE_NOC_WRITE_MULTICAST] = {"WRITE_MULTICAST", TRACE_NOC_MOVES_MULTICAST,
                                   STATE_NONE},
    [TRACE_NOC_WRITE_SET_STATE] = {.name = "WRITE_SET_STATE", .state = STATE_SET},
    [TRACE_NOC_WRITE_WITH_STATE] = {"WRITE_WITH_STATE", TRACE_NOC_MOVES_WRITE,
                                    STATE_USED},
    [TRACE_NOC_WRITE_WITH_TRID_SET_STATE] = {.name = "WRITE_WITH_TRID_SET_STATE",
                                             .state = STATE_SET},
    [TRACE_NOC_WRITE_WITH_TRID_WITH_STATE] = {"WRITE_WITH_TRID_WITH_STATE",
                                              TRACE_NOC_MOVES_WRITE, STATE_USED},
    [TRACE_NOC_WRITE_BARRIER_START] = {.name = "WRITE_BARRIER_START"},
    [TRACE_NOC_WRITE_BARRIER_END] = {.name = "WRITE_BARRIER_END"},
    [TRACE_NOC_WRITE_BARRIER_WITH_TRID] = {.name = "WRITE_BARRIER_WITH_TRID"},
    [TRACE_NOC_WRITE_FLUSH] = {.name = "WRITE_FLUSH"},
    [TRACE_NOC_WRITE_FLUSH_WITH_TRID] = {.name = "WRITE_FLUSH_WITH_TRID"},
    [TRACE_NOC_FULL_BARRIER] = {.name = "FULL_BARRIER"},
    [TRACE_NOC_ATOMIC_BARRIER] = {.name = "ATOMIC_BARRIER"},
    [TRACE_NOC_SEMAPHORE_INC] = {"SEMAPHORE_INC", TRACE_NOC_MOVES_ATOMIC, STATE_NONE},
    [TRACE_NOC_SEMAPHORE_WAIT] = {.name = "SEMAPHORE_WAIT"},
    [TRACE_NOC_SEMAPHORE_SET] = {.name = "SEMAPHORE_SET"},
};

bool trace_noc_kind_sets_state(TraceNocKind kind)
{
    return kinds[kind].state == STATE_SET;
}

bool trace_noc_kind_uses_state(TraceNocKind kind)
{
    return kinds[kind].state == STATE_USED;
}

const char *trace_noc_kind_name(TraceNocKind kind)
{
    g_return_val_if_fail(kind < TRACE_NOC_KIND_COUNT, NULL);
    return kinds[kind].name;
}

static bool fail_at(const Scanner *scanner, const char *expected, GError **error)
{
    g_autofree char *message = scanner_complain(scanner, expected);

    return trace_refuse(error, "%s", message);
}

static bool
fail_field(const Fields *fields, Field field, const char *expected, GError **error)
{
    const ScannerValue *value = &fields->values[field];
    g_autofree char *found = NULL;

    if (value->type == SCANNER_NULL) {
        return trace_refuse(error, "%s is missing, expected %s", field_names[field],
                            expected);
    }
    found = scanner_quote(value);
    return trace_refuse(error, "%s = %s, expected %s", field_names[field], found,
                        expected);
}

static bool has(const Fields *fields, Field field)
{
    return fields->values[field].type != SCANNER_NULL;
}

/* Keeps a member of the object, if it is one of ours. Twice the same: the last. */
static void keep(Fields *fields, const ScannerValue *key, const ScannerValue *value)
{
    for (Field field = 0; field < FIELD_COUNT; field++) {
        if (scanner_is(key, field_names[field])) {
            fields->values[field] = *value;
        }
    }
}

static bool read_fields(Scanner *scanner, Fields *fields, GError **error)
{
    ScannerValue key;
    ScannerValue value;

    for (Field field = 0; field < FIELD_COUNT; field++) {
        fields->values[field].type = SCANNER_NULL;
    }
    if (!scanner_take(scanner, '{')) {
        return fail_at(scanner, "an event in { }", error);
    }
    if (scanner_take(scanner, '}')) {
        return true;
    }
    do {
        if (scanner_peek(scanner) != '"' || !scanner_read(scanner, &key)) {
            return fail_at(scanner, "the name of a field", error);
        }
        if (!scanner_take(scanner, ':')) {
            return fail_at(scanner, "a colon", error);
        }
        if (!scanner_read(scanner, &value)) {
            return fail_at(scanner, "a value", error);
        }
        keep(fields, &key, &value);
    } while (scanner_take(scanner, ','));
    return scanner_take(scanner, '}') || fail_at(scanner, "a comma or }", error);
}

/* A whole number of least..most; absent, it is left as it is. */
static bool get_number(const Fields *fields,
                       Field field,
                       gint64 least,
                       gint64 most,
                       gint64 *number,
                       GError **error)
{
    const ScannerValue *value = &fields->values[field];
    g_autofree char *expected = NULL;

    if (value->type == SCANNER_NULL) {
        return true;
    }
    if (value->type == SCANNER_INTEGER && value->integer >= least &&
        value->integer <= most) {
        *number = value->integer;
        return true;
    }
    expected =
        most == G_MAXINT64
            ? g_strdup_printf("%" G_GINT64_FORMAT "..", least)
            : g_strdup_printf("%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT, least, most);
    return fail_field(fields, field, expected, error);
}

static bool
get_coordinate(const Fields *fields, Field field, guint *coordinate, GError **error)
{
    gint64 number = 0;

    if (!has(fields, field)) {
        return fail_field(fields, field, "0..63", error);
    }
    if (!get_number(fields, field, 0, TRACE_NOC_GRID_SIDE - 1, &number, error)) {
        return false;
    }
    *coordinate = (guint) number;
    return true;
}

/* The index of the field in `words`; `word_count` if it is none of them or not a
 * text. */
static guint
word_of(const Fields *fields, Field field, const char *const *words, guint word_count)
{
    const ScannerValue *value = &fields->values[field];
    guint word = 0;

    while (word < word_count && !scanner_is(value, words[word])) {
        word++;
    }
    return word;
}

static TraceNocProcessor processor_of(const Fields *fields)
{
    static const char *const words[] = {"BRISC", "NCRISC", "ERISC"};

    return (TraceNocProcessor) word_of(fields, FIELD_PROC, words, G_N_ELEMENTS(words));
}

static bool get_zone(const Fields *fields,
                     GStringChunk *names,
                     TraceNocEvent *event,
                     GError **error)
{
    /* The later spelling is that of newer profilers. */
    static const char *const phases[] = {"begin", "end", "ZONE_START", "ZONE_END"};
    guint phase = word_of(fields, FIELD_ZONE_PHASE, phases, G_N_ELEMENTS(phases));
    g_autofree char *name = NULL;

    if (fields->values[FIELD_ZONE].type != SCANNER_STRING) {
        return fail_field(fields, FIELD_ZONE, "a name", error);
    }
    if (phase == G_N_ELEMENTS(phases)) {
        return fail_field(fields, FIELD_ZONE_PHASE, "begin or end", error);
    }
    name = scanner_string(&fields->values[FIELD_ZONE]);
    event->kind = phase % 2 == 0 ? TRACE_NOC_ZONE_BEGIN : TRACE_NOC_ZONE_END;
    event->zone = g_string_chunk_insert_const(names, name);
    event->processor = processor_of(fields);
    event->vc = -1;
    return true;
}

/* TRACE_NOC_KIND_COUNT for a type that is unknown. */
static TraceNocKind kind_of(const ScannerValue *type)
{
    TraceNocKind kind = TRACE_NOC_READ;

    /* The profiler's own table calls it so. */
    if (scanner_is(type, "WRITE")) {
        return TRACE_NOC_WRITE;
    }
    while (kind < TRACE_NOC_KIND_COUNT && !scanner_is(type, kinds[kind].name)) {
        kind++;
    }
    return kind;
}

/* An unknown type for a table that people read: short, one line. */
static char *presentable(const ScannerValue *type)
{
    g_autofree char *text = scanner_string(type);
    g_autofree char *escaped = g_strescape(text, NULL);

    return strlen(escaped) <= NAME_MAXIMUM ? g_steal_pointer(&escaped)
                                           : g_strndup(escaped, NAME_MAXIMUM);
}

static bool get_corner(const Fields *fields,
                       Field field_x,
                       Field field_y,
                       guint *x,
                       guint *y,
                       GError **error)
{
    return get_coordinate(fields, field_x, x, error) &&
           get_coordinate(fields, field_y, y, error);
}

/* -1 is how the profiler writes "none". */
static bool is_none(const Fields *fields, Field field)
{
    const ScannerValue *value = &fields->values[field];

    return value->type == SCANNER_NULL ||
           (value->type == SCANNER_INTEGER && value->integer == -1);
}

static bool get_target(const Fields *fields, TraceNocEvent *event, GError **error)
{
    const Kind *kind = &kinds[event->kind];
    bool needs_target =
        (kind->move != TRACE_NOC_MOVES_NOTHING && kind->state != STATE_USED) ||
        kind->state == STATE_SET;

    if (kind->move == TRACE_NOC_MOVES_MULTICAST) {
        event->has_target = true;
        return get_corner(fields, FIELD_MCAST_START_X, FIELD_MCAST_START_Y,
                          &event->target_x, &event->target_y, error) &&
               get_corner(fields, FIELD_MCAST_END_X, FIELD_MCAST_END_Y,
                          &event->target_end_x, &event->target_end_y, error);
    }
    if (!needs_target && is_none(fields, FIELD_DX) && is_none(fields, FIELD_DY)) {
        return true;
    }
    if (!get_corner(fields, FIELD_DX, FIELD_DY, &event->target_x, &event->target_y,
                    error)) {
        return false;
    }
    event->has_target = true;
    event->target_end_x = event->target_x;
    event->target_end_y = event->target_y;
    return true;
}

static bool get_bytes(const Fields *fields, TraceNocEvent *event, GError **error)
{
    bool needs_bytes =
        kinds[event->kind].state == STATE_NONE &&
        (event->move == TRACE_NOC_MOVES_READ || event->move == TRACE_NOC_MOVES_WRITE ||
         event->move == TRACE_NOC_MOVES_MULTICAST);
    gint64 bytes = 0;

    if (needs_bytes && !has(fields, FIELD_NUM_BYTES)) {
        return fail_field(fields, FIELD_NUM_BYTES, "0..", error);
    }
    if (!get_number(fields, FIELD_NUM_BYTES, 0, TRACE_NOC_BYTES_MAXIMUM, &bytes,
                    error)) {
        return false;
    }
    event->bytes = (uint32_t) bytes;
    return true;
}

static bool get_event(const Fields *fields, TraceNocEvent *event, GError **error)
{
    static const char *const nocs[] = {"NOC_0", "NOC_1"};
    gint64 vc = -1;

    event->move = kinds[event->kind].move;
    event->processor = processor_of(fields);
    if (event->processor == TRACE_NOC_NO_PROCESSOR) {
        return fail_field(fields, FIELD_PROC, "BRISC, NCRISC or ERISC", error);
    }
    event->noc = word_of(fields, FIELD_NOC, nocs, G_N_ELEMENTS(nocs));
    if (event->noc == G_N_ELEMENTS(nocs)) {
        return fail_field(fields, FIELD_NOC, "NOC_0 or NOC_1", error);
    }
    if (!get_number(fields, FIELD_VC, -1, VC_MAXIMUM, &vc, error)) {
        return false;
    }
    event->vc = (gint) vc;
    return get_target(fields, event, error) && get_bytes(fields, event, error);
}

/* Reads the members that zones and events of all types have. */
static bool get_stamp(const Fields *fields, TraceNocElement *element, GError **error)
{
    gint64 stamp = 0;

    element->device = -1;
    if (!has(fields, FIELD_TIMESTAMP)) {
        return fail_field(fields, FIELD_TIMESTAMP, "0..", error);
    }
    if (!get_number(fields, FIELD_TIMESTAMP, 0, G_MAXINT64, &stamp, error)) {
        return false;
    }
    element->stamp = (uint64_t) stamp;
    return get_number(fields, FIELD_DEVICE, -1, G_MAXINT64, &element->device, error);
}

void trace_noc_element_clear(TraceNocElement *self)
{
    g_free(self->unknown);
    *self = (TraceNocElement){0};
}

bool trace_noc_element_read(Scanner *scanner,
                            GStringChunk *names,
                            TraceNocElement *element,
                            GError **error)
{
    TraceNocEvent *event = &element->event;
    Fields fields;
    bool is_zone;

    *element = (TraceNocElement){0};
    if (!read_fields(scanner, &fields, error)) {
        return false;
    }
    is_zone = has(&fields, FIELD_ZONE);
    if (!is_zone && !has(&fields, FIELD_TYPE)) {
        return trace_refuse(error,
                            "type is missing, expected a type of event or a zone");
    }
    if (!get_stamp(&fields, element, error)) {
        return false;
    }
    if (!is_zone) {
        const ScannerValue *type = &fields.values[FIELD_TYPE];

        if (type->type != SCANNER_STRING) {
            return fail_field(&fields, FIELD_TYPE, "the name of a type", error);
        }
        event->kind = kind_of(type);
        if (event->kind == TRACE_NOC_KIND_COUNT) {
            element->unknown = presentable(type);
            return true;
        }
    }
    if (!get_corner(&fields, FIELD_SX, FIELD_SY, &event->source_x, &event->source_y,
                    error)) {
        return false;
    }
    return is_zone ? get_zone(&fields, names, event, error)
                   : get_event(&fields, event, error);
}
