// Everything that a kernel may use; it comes before the kernel's own text.
#pragma once

#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "gridloom/argument.h"
#include "gridloom/assertion.h"
#include "gridloom/bfloat16.h"
#include "gridloom/processor.h"
#include "gridloom/zone.h"

#ifdef COMPILE_FOR_TRISC
#include "gridloom/compute_buffer.h"
#include "gridloom/dst.h"
#include "gridloom/reuse.h"
#include "gridloom/rows.h"
#include "gridloom/sfpu/sfpu.h"
#include "gridloom/sfpu/sfpu_choice.h"
#include "gridloom/sfpu/sfpu_curve.h"
#include "gridloom/sfpu/sfpu_integer.h"
#include "gridloom/thread.h"
#include "gridloom/tile.h"

using namespace ckernel;
#else
#include "gridloom/buffer.h"
#include "gridloom/endpoint.h"
#include "gridloom/semaphore_object.h"
#endif

#include "gridloom/absent.h"
#include "gridloom/dataflow_buffer.h"
#include "gridloom/local_memory.h"
#include "gridloom/print.h"
