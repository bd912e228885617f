// Places of vectors: dst_reg[], the registers that kernels name, and constants.
#pragma once

#include "gridloom/sfpu/vector_condition.h"

namespace sfpi
{

constexpr uint32_t SFP_DESTREG_STRIDE = 2;

enum class DataLayout { Default, FSrcB, F32, F16a, F16b, I32, U32, U16, SM32, SM16, M32, LO16, HI16 };
enum class LRegs : uint8_t { LReg0, LReg1, LReg2, LReg3, LReg4, LReg5, LReg6, LReg7, LRegCount };

namespace impl_
{

// A vector of Dst. Numbers of 16 bits are cut when they are stored, integers are not.
class DstVector
{
  public:
    FORCE_INLINE explicit constexpr DstVector(uint32_t number) : index(number) {}
    FORCE_INLINE DstVector(const DstVector &other) = default;
    FORCE_INLINE void operator=(const DstVector &other) const { *this = vFloat(other); }
    template <VectorType T> FORCE_INLINE operator T() const
    {
        return T(Name{gridloom::vector_in_order<Vector::LOAD>(index)});
    }
    template <typename T>
    requires IntegerType<T> FORCE_INLINE void operator=(T value) const
    {
        gridloom::vector_act<Vector::STORE_BITS>(value.get(), index);
    }
    FORCE_INLINE void operator=(vFloat value) const { gridloom::vector_act<Vector::STORE>(value.get(), index); }
    FORCE_INLINE void operator=(Product value) const { *this = vFloat(value); }
    FORCE_INLINE void operator=(float value) const { *this = vFloat(value); }
    // Layouts are those of the types.
    template <DataLayout = DataLayout::Default> FORCE_INLINE constexpr DstVector mode(int = -1) const { return *this; }

  private:
    uint32_t index;
};

struct DstRegister {
    FORCE_INLINE constexpr DstVector operator[](uint32_t index) const { return DstVector(index); }
    FORCE_INLINE void operator+=(uint32_t count) const { gridloom::vector_act<Vector::STEP>(count); }
    FORCE_INLINE void operator++() const { *this += 1; }
    FORCE_INLINE void operator++(int) const { *this += 1; }
};

// A register with a number of its own, which the kernel may set.
template <typename Type> struct Constant {
    uint32_t number;

    FORCE_INLINE operator Type() const { return Name{gridloom::vector_in_order<Vector::MOV>(number)}; }
    FORCE_INLINE void operator=(Type value) const { gridloom::vector_act<Vector::CONFIG>(value.get(), number); }
};

// One that never changes takes no instruction to be used.
struct FixedConstant {
    uint32_t number;

    FORCE_INLINE operator vFloat() const { return Name{number}; }
};

struct LaneNumbers {
    FORCE_INLINE operator vInt() const { return Name{gridloom::VECTOR_LANES}; }
};

class Register
{
  public:
    FORCE_INLINE explicit constexpr Register(uint32_t place) : number(place) {}
    template <VectorType T> FORCE_INLINE operator T() const
    {
        return T(Name{gridloom::vector_in_order<Vector::MOV>(number)});
    }
    FORCE_INLINE void operator=(const vVal &value) const { gridloom::vector_act<Vector::CONFIG>(value.get(), number); }

  private:
    uint32_t number;
};

struct Registers {
    FORCE_INLINE constexpr Register operator[](LRegs place) const { return Register(static_cast<uint32_t>(place)); }
};

}  // namespace impl_

constexpr impl_::DstRegister dst_reg;
constexpr impl_::Registers l_reg;
constexpr impl_::FixedConstant vConst0{gridloom::VECTOR_ZERO};
constexpr impl_::FixedConstant vConst1{gridloom::VECTOR_ONE};
constexpr impl_::FixedConstant vConstNeg1{gridloom::VECTOR_MINUS_ONE};
constexpr impl_::FixedConstant vConst0p8373{gridloom::VECTOR_0P8373};
constexpr impl_::LaneNumbers vConstTileId;
constexpr impl_::Constant<vFloat> vConstFloatPrgm0{gridloom::VECTOR_PROGRAMMED};
constexpr impl_::Constant<vFloat> vConstFloatPrgm1{gridloom::VECTOR_PROGRAMMED + 1};
constexpr impl_::Constant<vFloat> vConstFloatPrgm2{gridloom::VECTOR_PROGRAMMED + 2};
constexpr impl_::Constant<vInt> vConstIntPrgm0{gridloom::VECTOR_PROGRAMMED};
constexpr impl_::Constant<vInt> vConstIntPrgm1{gridloom::VECTOR_PROGRAMMED + 1};
constexpr impl_::Constant<vInt> vConstIntPrgm2{gridloom::VECTOR_PROGRAMMED + 2};

}  // namespace sfpi
