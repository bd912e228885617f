/* The script APIs of the chip families in this build. */
#include "workloads/host/family.h"

#define ARCH_FAMILY(name) &host_family_##name,
#define ARCH_ROOFS_ONLY(name)
const HostFamily *const host_families[] = {
#include "arch/chips.def"
    NULL,
};
