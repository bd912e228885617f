/* Reads the part of SimGrid's XML that a system description may use. */
#include "sim/platform/reader.h"

#include <string.h>

#include "sim/platform/builder.h"

#define DOCTYPE "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"

enum {
    ATTRIBUTE_LIMIT = 3,
    VALUE_CHARACTERS_LIMIT = 64,
    BEGIN_BYTES_LIMIT = 40,
    CAUSE_BYTES_LIMIT = 160,
};

typedef enum {
    ELEMENT_FILE,
    ELEMENT_PLATFORM,
    ELEMENT_ZONE,
    ELEMENT_HOST,
    ELEMENT_LINK,
    ELEMENT_PROP,
    ELEMENT_ROUTE,
    ELEMENT_LINK_CTN,
    ELEMENT_COUNT,
} Element;

typedef bool (*EndFunc)(SimPlatformBuilder *, GError **);

typedef struct {
    const char *name;
    unsigned parents; /* bit set of the elements that may contain it */
    bool is_single;
    const char *attributes[ATTRIBUTE_LIMIT + 1]; /* all required */
    SimPlatformStart *start;
    EndFunc end;
} Rule;

typedef struct {
    SimPlatformBuilder builder;
    GMarkupParseContext *context;
    GArray *open; /* Element, outermost first */
    guint element_counts[ELEMENT_COUNT];
    bool has_begun; /* something other than blanks was read */
    bool has_doctype;
} Reader;

static const Rule rules[ELEMENT_COUNT] = {
    [ELEMENT_FILE] = {.name = "the file"},
    [ELEMENT_PLATFORM] = {.name = "platform",
                          .parents = 1U << ELEMENT_FILE,
                          .is_single = true,
                          .attributes = {"version"},
                          .start = sim_platform_builder_platform},
    [ELEMENT_ZONE] = {.name = "zone",
                      .parents = 1U << ELEMENT_PLATFORM,
                      .is_single = true,
                      .attributes = {"id", "routing"},
                      .start = sim_platform_builder_zone,
                      .end = sim_platform_builder_end_zone},
    [ELEMENT_HOST] = {.name = "host",
                      .parents = 1U << ELEMENT_ZONE,
                      .attributes = {"id", "speed"},
                      .start = sim_platform_builder_host},
    [ELEMENT_LINK] = {.name = "link",
                      .parents = 1U << ELEMENT_ZONE,
                      .attributes = {"id", "bandwidth", "latency"},
                      .start = sim_platform_builder_link,
                      .end = sim_platform_builder_end_link},
    [ELEMENT_PROP] = {.name = "prop",
                      .parents = 1U << ELEMENT_HOST | 1U << ELEMENT_LINK,
                      .attributes = {"id", "value"},
                      .start = sim_platform_builder_prop},
    [ELEMENT_ROUTE] = {.name = "route",
                       .parents = 1U << ELEMENT_ZONE,
                       .attributes = {"src", "dst", "symmetrical"},
                       .start = sim_platform_builder_route,
                       .end = sim_platform_builder_end_route},
    [ELEMENT_LINK_CTN] = {.name = "link_ctn",
                          .parents = 1U << ELEMENT_ROUTE,
                          .attributes = {"id"},
                          .start = sim_platform_builder_link_ctn},
};

static Element innermost(const Reader *self)
{
    return g_array_index(self->open, Element, self->open->len - 1);
}

/* The element of that name, or ELEMENT_FILE if it may not stand here. */
static Element expect_element(const Reader *self, const char *name, GError **error)
{
    Element parent = innermost(self);
    g_autoptr(GString) list = g_string_new(NULL);
    for (Element element = ELEMENT_PLATFORM; element < ELEMENT_COUNT; element++) {
        if ((rules[element].parents & 1U << parent) == 0) {
            continue;
        }
        if (g_str_equal(rules[element].name, name)) {
            return element;
        }
        g_string_append_printf(list, " %s", rules[element].name);
    }
    sim_platform_builder_fail(
        &self->builder, error, "element %.64s in %s, %s%s is allowed", name,
        rules[parent].name, list->len > 0 ? "one of" : "none", list->str);
    return ELEMENT_FILE;
}

/* Fills `values` in the order of the rule. */
static bool read_attributes(const Reader *self,
                            const Rule *rule,
                            const char **names,
                            const char **texts,
                            const char **values,
                            GError **error)
{
    g_autofree char *list = g_strjoinv(", ", (char **) rule->attributes);
    for (guint given = 0; names[given] != NULL; given++) {
        guint slot = 0;
        while (rule->attributes[slot] != NULL &&
               !g_str_equal(rule->attributes[slot], names[given])) {
            slot++;
        }
        if (rule->attributes[slot] == NULL || values[slot] != NULL) {
            return sim_platform_builder_fail(
                &self->builder, error,
                "%s attribute %.64s of %s, each of %s once is allowed",
                rule->attributes[slot] == NULL ? "unknown" : "second", names[given],
                rule->name, list);
        }
        if (strlen(texts[given]) > VALUE_CHARACTERS_LIMIT) {
            return sim_platform_builder_fail(
                &self->builder, error,
                "%s of %s has %zu characters, up to %d are allowed", names[given],
                rule->name, strlen(texts[given]), VALUE_CHARACTERS_LIMIT);
        }
        values[slot] = texts[given];
    }
    for (guint slot = 0; rule->attributes[slot] != NULL; slot++) {
        if (values[slot] == NULL) {
            return sim_platform_builder_fail(
                &self->builder, error, "no attribute %s of %s, each of %s is needed",
                rule->attributes[slot], rule->name, list);
        }
    }
    return true;
}

static void start_element(GMarkupParseContext *context G_GNUC_UNUSED,
                          const char *name,
                          const char **attribute_names,
                          const char **attribute_values,
                          gpointer data,
                          GError **error)
{
    Reader *self = data;
    Element element = expect_element(self, name, error);
    if (element == ELEMENT_FILE) {
        return;
    }
    const Rule *rule = &rules[element];
    if (rule->is_single && self->element_counts[element] > 0) {
        sim_platform_builder_fail(&self->builder, error, "a second %s, one is allowed",
                                  name);
        return;
    }
    /* SimGrid aborts on a file without it. */
    if (!self->has_doctype) {
        sim_platform_builder_fail(&self->builder, error, "no DOCTYPE, %s is needed",
                                  DOCTYPE);
        return;
    }
    const char *values[ATTRIBUTE_LIMIT] = {NULL};
    if (read_attributes(self, rule, attribute_names, attribute_values, values, error) &&
        rule->start(&self->builder, values, error)) {
        self->element_counts[element]++;
        g_array_append_val(self->open, element);
    }
}

static void end_element(GMarkupParseContext *context G_GNUC_UNUSED,
                        const char *name G_GNUC_UNUSED,
                        gpointer data,
                        GError **error)
{
    Reader *self = data;
    const Rule *rule = &rules[innermost(self)];
    g_array_set_size(self->open, self->open->len - 1);
    if (rule->end != NULL) {
        rule->end(&self->builder, error);
    }
}

/* Sets an error at the line where `text`, which ends at the reader, begins. */
static void refuse(
    Reader *self, const char *text, gsize length, const char *allowed, GError **error)
{
    g_autofree char *begin = g_strndup(text, MIN(length, BEGIN_BYTES_LIMIT));
    g_autofree char *legible = g_utf8_make_valid(begin, -1);
    for (gsize at = 0; at < length; at++) {
        self->builder.line -= text[at] == '\n';
    }
    sim_platform_builder_fail(&self->builder, error, "%s, %s allowed", legible,
                              allowed);
}

static void read_text(GMarkupParseContext *context G_GNUC_UNUSED,
                      const char *text,
                      gsize length,
                      gpointer data,
                      GError **error)
{
    gsize blanks = strspn(text, " \t\r\n");
    if (blanks < length) {
        refuse(data, text + blanks, length - blanks,
               "elements and comments, not text, are", error);
    }
}

/* With "--" in it only at both ends, as XML wants; SimGrid misreads others. */
static bool is_comment(const char *aside)
{
    const char *body = aside + strlen("<!--");
    return g_str_has_prefix(aside, "<!--") && !g_str_has_prefix(body, ">") &&
           !g_str_has_prefix(body, "->") && g_strcmp0(strstr(body, "--"), "-->") == 0;
}

/* Comments, the XML declaration and the DOCTYPE. SimGrid's reader is a lexer with a
 * narrow idea of each, so only forms that it knows pass. */
static void read_aside(GMarkupParseContext *context G_GNUC_UNUSED,
                       const char *text,
                       gsize length,
                       gpointer data,
                       GError **error)
{
    static const char declaration[] = "^<\\?xml\\s+version\\s*=\\s*(?:'1.0'|\"1.0\")"
                                      "(?:\\s+encoding\\s*=\\s*(?:'utf-8'|\"utf-8\"))?"
                                      "\\s*\\?>$";
    static const char doctype[] =
        "^<!DOCTYPE\\s+platform\\s+SYSTEM\\s+(?:'https://simgrid.org/simgrid.dtd'"
        "|\"https://simgrid.org/simgrid.dtd\")\\s*>$";
    Reader *self = data;
    g_autofree char *aside = g_strndup(text, length);
    bool is_first = !self->has_begun;
    self->has_begun = true;
    if (g_str_has_prefix(aside, "<!--")) {
        if (!is_comment(aside)) {
            refuse(self, text, length, "a comment without -- inside is", error);
        }
    } else if (g_str_has_prefix(aside, "<?")) {
        if (!is_first ||
            !g_regex_match_simple(declaration, aside, G_REGEX_CASELESS, 0)) {
            refuse(self, text, length, "<?xml version=\"1.0\"?> at the start is",
                   error);
        }
    } else if (!self->has_doctype && self->element_counts[ELEMENT_PLATFORM] == 0 &&
               g_regex_match_simple(doctype, aside, 0, 0)) {
        self->has_doctype = true;
    } else {
        refuse(self, text, length, "comments and one " DOCTYPE " before platform are",
               error);
    }
}

static bool check_utf8(SimPlatformBuilder *builder, const char *text, GError **error)
{
    const char *end = NULL;
    if (g_utf8_validate(text, -1, &end)) {
        return true;
    }
    for (const char *at = text; at < end; at++) {
        builder->line += *at == '\n';
    }
    return sim_platform_builder_fail(builder, error,
                                     "a broken character, UTF-8 is allowed");
}

/* Entities: our XML reader resolves them everywhere, SimGrid's only here and there. */
static bool
check_no_entities(SimPlatformBuilder *builder, const char *text, GError **error)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (g_str_has_prefix(at, "<!--")) {
            const char *end = strstr(at, "-->");
            if (end == NULL) {
                return true;
            }
            for (; at < end; at++) {
                builder->line += *at == '\n';
            }
        }
        builder->line += *at == '\n';
        if (*at == '&') {
            return sim_platform_builder_fail(builder, error,
                                             "an entity, plain characters are allowed");
        }
    }
    return true;
}

/* GMarkup says "Error on line 3 char 5: what"; the line stands before it already. */
static void set_malformed(const Reader *self, const GError *cause, GError **error)
{
    const char *what = strstr(cause->message, ": ");
    g_autofree char *begin =
        g_strndup(what != NULL ? what + 2 : cause->message, CAUSE_BYTES_LIMIT);
    g_autofree char *legible = g_utf8_make_valid(begin, -1);
    sim_platform_builder_fail(&self->builder, error,
                              "malformed XML (%s), well-formed XML is allowed",
                              legible);
}

/* Line by line, because GMarkup's own line numbers are one too high at a line's end. */
static bool parse_lines(Reader *self, const char *text, GError **error)
{
    guint line = 1;
    self->builder.line = line;
    while (*text != '\0') {
        /* A piece is the end of the line before it with all of this one but its end. */
        size_t length = 1 + strcspn(text + 1, "\n");
        line += text[0] == '\n';
        if (length > 1) {
            self->builder.line = line;
        }
        if (!g_markup_parse_context_parse(self->context, text, (gssize) length,
                                          error)) {
            return false;
        }
        text += length;
    }
    return g_markup_parse_context_end_parse(self->context, error);
}

static bool read_all(Reader *self, const char *text, GError **error)
{
    g_autoptr(GError) cause = NULL;
    if (!check_utf8(&self->builder, text, error) ||
        !check_no_entities(&self->builder, text, error)) {
        return false;
    }
    if (!parse_lines(self, text, &cause)) {
        if (cause->domain == G_MARKUP_ERROR) {
            set_malformed(self, cause, error);
        } else {
            g_propagate_error(error, g_steal_pointer(&cause));
        }
        return false;
    }
    return self->element_counts[ELEMENT_ZONE] > 0 ||
           sim_platform_builder_fail(&self->builder, error,
                                     "no zone in platform, one is needed");
}

bool sim_platform_read(SimPlatform *platform, const char *text, GError **error)
{
    static const GMarkupParser parser = {
        .start_element = start_element,
        .end_element = end_element,
        .text = read_text,
        .passthrough = read_aside,
    };
    Reader reader = {.open = g_array_new(false, false, sizeof(Element))};
    const Element outermost = ELEMENT_FILE;
    g_array_append_val(reader.open, outermost);
    sim_platform_builder_init(&reader.builder, platform);
    reader.context = g_markup_parse_context_new(&parser, 0, &reader, NULL);

    bool is_read = read_all(&reader, text, error);

    g_markup_parse_context_free(reader.context);
    sim_platform_builder_clear(&reader.builder);
    g_array_unref(reader.open);
    return is_read;
}
