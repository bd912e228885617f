/* Copies of 16 bytes from global to shared memory that nobody waits for, in groups. */
#pragma once

namespace gpu
{

__device__ __forceinline__ void async_copy16(void *shared, const void *global)
{
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared));

    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global)
                 : "memory");
}

__device__ __forceinline__ void async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most `pending` of the thread's groups are on their way. */
template <int pending> __device__ __forceinline__ void async_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/* The values that one such copy has. */
template <typename T> struct Vector16;
template <> struct Vector16<float> {
    using Type = float4;
};
template <> struct Vector16<double> {
    using Type = double2;
};

template <typename T>
__device__ __forceinline__ void vector16_copy(T *to, const T *from)
{
    using Type = typename Vector16<T>::Type;

    *reinterpret_cast<Type *>(to) = *reinterpret_cast<const Type *>(from);
}

}  // namespace gpu
