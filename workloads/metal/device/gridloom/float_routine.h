// What the compiler calls for numbers of floating point.
#pragma once

#include "gridloom/float_operation.h"
#include "gridloom/routine.h"

GRIDLOOM_ROUTINE float __addsf3(float a, float b)
{
    return gridloom::add(gridloom::bits_of(a), gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE float __subsf3(float a, float b)
{
    return gridloom::add(gridloom::bits_of(a), gridloom::bits_of(b) ^ gridloom::SIGN);
}
GRIDLOOM_ROUTINE float __mulsf3(float a, float b)
{
    return gridloom::multiply(gridloom::bits_of(a), gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE float __divsf3(float a, float b)
{
    return gridloom::divide(gridloom::bits_of(a), gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE int __eqsf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __nesf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __ltsf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __lesf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __gtsf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), -1);
}
GRIDLOOM_ROUTINE int __gesf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), -1);
}
GRIDLOOM_ROUTINE int __unordsf2(float a, float b)
{
    return gridloom::is_nan(gridloom::bits_of(a)) || gridloom::is_nan(gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE float __floatsisf(int32_t value)
{
    return gridloom::from_integer(value < 0 ? gridloom::SIGN : 0,
                                  value < 0 ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value));
}
GRIDLOOM_ROUTINE float __floatunsisf(uint32_t value)
{
    return gridloom::from_integer(0, value);
}
GRIDLOOM_ROUTINE int32_t __fixsfsi(float value)
{
    return static_cast<int32_t>(gridloom::to_integer(gridloom::bits_of(value), INT32_MIN, INT32_MAX));
}
GRIDLOOM_ROUTINE uint32_t __fixunssfsi(float value)
{
    return static_cast<uint32_t>(gridloom::to_integer(gridloom::bits_of(value), 0, UINT32_MAX));
}
