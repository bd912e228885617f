// What is for one thread of a compute kernel alone, and the modes that calls name.
#pragma once

#include "gridloom/types.h"

#ifdef TRISC_UNPACK
#define UNPACK(...) __VA_ARGS__
#define MAIN        unpack_main()
#define NAMESPACE   chlkc_unpack
#else
#define UNPACK(...)
#endif
#ifdef TRISC_MATH
#define MATH(...) __VA_ARGS__
#define MAIN      math_main()
#define NAMESPACE chlkc_math
#else
#define MATH(...)
#endif
#ifdef TRISC_PACK
#define PACK(...) __VA_ARGS__
#define MAIN      pack_main()
#define NAMESPACE chlkc_pack
#else
#define PACK(...)
#endif

namespace ckernel
{

enum class VectorMode { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 255 };
enum class BroadcastType { NONE, COL, ROW, SCALAR };
enum class EltwiseBinaryType { ELWMUL, ELWDIV, ELWADD, ELWSUB, ELWLESS };
enum class EltwiseBinaryReuseDestType { NONE, DEST_TO_SRCA, DEST_TO_SRCB };
enum class SrcOrder { Regular, Reverse };
enum class DstSync { SyncHalf, SyncFull };
enum class DstRoundingMode { Default };
enum class InputClamping { ClampToNegative, None };
enum class Approx { Exact, Fast };
enum PoolType { SUM, AVG, MAX, MIN };
enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

using enum BroadcastType;
using enum EltwiseBinaryType;

}  // namespace ckernel

#ifndef MATH_FIDELITY
#define MATH_FIDELITY 4
#endif
#ifndef DST_SYNC_MODE
#define DST_SYNC_MODE ckernel::DstSync::SyncHalf
#endif
#ifndef APPROX
#define APPROX false
#endif
