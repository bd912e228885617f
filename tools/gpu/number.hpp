/* What kernels compute with: the format that numbers are stored in, but FP32 for
 * formats of 16 bits, in which only vectors are. */
#pragma once

#include <type_traits>

#ifdef __CUDACC__
#define GPU_ANYWHERE __host__ __device__
#else
#define GPU_ANYWHERE
#endif

namespace gpu
{

/* Formats of 16 bits are classes. */
template <typename T>
using Work = typename std::conditional<std::is_arithmetic<T>::value, T, float>::type;

template <typename T> GPU_ANYWHERE inline Work<T> number(T value)
{
    return (Work<T>) value;
}

/* A number of a computation in double precision as vectors of T hold it: as it is for
 * FP32 and FP64, which are held against double precision, else rounded. */
template <typename T> double stored(double value)
{
    return std::is_arithmetic<T>::value ? value : (double) number(T((Work<T>) value));
}

}  // namespace gpu
