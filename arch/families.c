/* The chip families of this build. */
#include "arch/family.h"

#define ARCH_FAMILY(name)     &arch_family_##name,
#define ARCH_ROOFS_ONLY(name) ARCH_FAMILY(name)
const ArchFamily *const arch_families[] = {
#include "arch/chips.def"
    NULL,
};
