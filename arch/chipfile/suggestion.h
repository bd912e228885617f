/* What the writer of an unknown key probably meant. */
#pragma once

#include "arch/family.h"

/* For a key that the family does not have: "no such section, ...", "wrong unit, ..." or
 * "no such key, ...", with what is allowed. The caller frees it. */
char *
arch_suggestion_for(const ArchFamily *family, const char *section, const char *key);
