/* Writes places in scripts as text. */
#include "arch/place.h"

char *arch_place_text(ArchPlace place)
{
    return place.file == NULL ? g_strdup("")
                              : g_strdup_printf(" at %s:%u", place.file, place.line);
}
