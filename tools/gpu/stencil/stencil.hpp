/* Box and star stencils with weights given at run time on a periodic square or cube,
 * all `fusion` steps in one pass over memory: what is asked for, and what does it.
 * A step is out(p) = sum over d of weights[d] in(p + d). */
#pragma once

namespace gpu
{

/* What does the arithmetic: CUDA cores with temporal fusion, that is one step after
 * another; or tensor cores with kernel fusion, that is one step of the stencil
 * convolved with itself. */
enum class StencilUnit {
    cuda,
    m8n8k4,             /* tensor cores, FP64 */
    m16n8k8,            /* the same with the shape that Hopper adds */
    tf32_m16n8k8,       /* tensor cores, FP32 data cut to TF32, FP32 sums */
    sparse_tf32_m16n8k8 /* the same on sparse tensor cores, half of the weights' matrix
                         * is not stored */
};

struct StencilCase {
    bool is_box = true;
    int dimension = 2;
    int radius = 1;
    int fusion = 1; /* steps in one pass */
    bool is_double = false;
    StencilUnit unit = StencilUnit::cuda;
    int size = 0; /* points along each side, a multiple of 4 */
};

/* A pass over arrays on the device of size^dimension values of the case's type, x
 * fastest. */
struct StencilPass {
    const void *in;
    void *out;
    /* Of the kernel that is applied, a whole box of (2R+1)^dimension, x fastest, zeros
     * where a star has none. R is the radius on CUDA cores and radius * fusion on
     * tensor cores. */
    const double *weights;
    int size;
};

/* How a pass is done; which way is the fastest is measured. */
struct StencilPlan {
    int kernel = 0; /* of those that a case has */
    int strip = 0;  /* rows or planes that are streamed; 0: so many that all strips run
                     * at a time */
    int blocks = 0; /* at most, on a multiprocessor; 0: as many as fit */
};

/* Enqueues a pass and gives the FLOP that it executes, those on zeros and those that
 * neighbours repeat too; 0: there is no such kernel. */
double stencil_enqueue(const StencilCase &self,
                       const StencilPass &pass,
                       const StencilPlan &plan);

/* The parts of that. */
double stencil_2d_box_float(int radius,
                            int fusion,
                            const StencilPass &pass,
                            const StencilPlan &plan);
double stencil_2d_box_double(int radius,
                             int fusion,
                             const StencilPass &pass,
                             const StencilPlan &plan);
double stencil_2d_star_float(int radius,
                             int fusion,
                             const StencilPass &pass,
                             const StencilPlan &plan);
double stencil_2d_star_double(int radius,
                              int fusion,
                              const StencilPass &pass,
                              const StencilPlan &plan);
double stencil_3d_float(bool is_box,
                        int fusion,
                        const StencilPass &pass,
                        const StencilPlan &plan);
double stencil_3d_double(bool is_box,
                         int fusion,
                         const StencilPass &pass,
                         const StencilPlan &plan);
double
stencil_tensor_float(int radius, const StencilPass &pass, const StencilPlan &plan);
double
stencil_sparse_float(int radius, const StencilPass &pass, const StencilPlan &plan);
double stencil_tensor_double(bool is_wide,
                             int radius,
                             const StencilPass &pass,
                             const StencilPlan &plan);

}  // namespace gpu
