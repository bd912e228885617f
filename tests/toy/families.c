/* The lists of families, with the toy: in place of arch/families.c and
 * workloads/families.c. */
#include "arch/family.h"
#include "workloads/host/family.h"

#define ARCH_FAMILY(name)                                                              \
    extern const ArchFamily arch_family_##name;                                        \
    extern const HostFamily host_family_##name;
#define ARCH_ROOFS_ONLY(name)
#include "tests/toy/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

#define ARCH_FAMILY(name)     &arch_family_##name,
#define ARCH_ROOFS_ONLY(name) ARCH_FAMILY(name)
const ArchFamily *const arch_families[] = {
#include "tests/toy/chips.def"
    NULL,
};
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

#define ARCH_FAMILY(name) &host_family_##name,
#define ARCH_ROOFS_ONLY(name)
const HostFamily *const host_families[] = {
#include "tests/toy/chips.def"
    NULL,
};
