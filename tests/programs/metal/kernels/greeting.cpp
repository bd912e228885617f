// Says who runs it, and which numbers it is given.
#include "debug/dprint.h"

#ifdef COMPILE_FOR_TRISC
namespace NAMESPACE
{
void MAIN
{
    UNPACK((DPRINT << "unpack " << get_arg_val<uint32_t>(0) << ENDL()));
    MATH((DPRINT << "math " << bf16_t(0x4120) << ENDL()));
    PACK((DPRINT << "pack" << ENDL()));
}
}  // namespace NAMESPACE
#else
void kernel_main()
{
    cb_reserve_back(0, 0);
    DPRINT("mover {} at {},{}: {}\n", NOC_INDEX, get_absolute_logical_x(),
           get_absolute_logical_y(), get_common_arg_val<uint32_t>(0));
}
#endif
