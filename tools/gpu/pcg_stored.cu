/* PCG with a stored matrix through cuSPARSE, Sliced ELL or CSR, and a kernel for each
 * other operation: what arXiv:2603.23343 measured on an H100. */
#include <cstdio>
#include <cstdlib>
#include <cusparse.h>

#include "tools/gpu/pcg/laplacian_matrix.hpp"
#include "tools/gpu/pcg/measurement.cuh"
#include "tools/gpu/pcg/split_solver.cuh"

#define SPARSE_TRY(call) try_sparse((call), #call)

namespace
{

void try_sparse(cusparseStatus_t status, const char *call)
{
    if (status != CUSPARSE_STATUS_SUCCESS) {
        std::fprintf(stderr, "%s: %s\n", call, cusparseGetErrorString(status));
        std::exit(1);
    }
}

template <typename T>
constexpr cudaDataType NUMBERS = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;

/* A matrix in the memory of the GPU that cuSPARSE multiplies with. */
template <typename T> class StoredMatrix
{
  public:
    /* height 0: CSR; else of a slice. */
    StoredMatrix(const gpu::Grid &grid, size_t height, cusparseSpMVAlg_t algorithm)
        : StoredMatrix(grid,
                       height,
                       algorithm,
                       height == 0 ? gpu::laplacian_rows<T>(grid)
                                   : gpu::laplacian_slices<T>(grid, height))
    {
    }
    ~StoredMatrix()
    {
        cudaFree(buffer_);
        cusparseDestroySpMat(matrix_);
        cusparseDestroyDnVec(from_);
        cusparseDestroyDnVec(to_);
        cusparseDestroy(handle_);
    }
    StoredMatrix(const StoredMatrix &) = delete;
    StoredMatrix &operator=(const StoredMatrix &) = delete;

    void multiply(const T *from, T *to, cudaStream_t stream)
    {
        SPARSE_TRY(cusparseSetStream(handle_, stream));
        SPARSE_TRY(cusparseDnVecSetValues(from_, (void *) from));
        SPARSE_TRY(cusparseDnVecSetValues(to_, to));
        SPARSE_TRY(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &ONE,
                                matrix_, from_, &ZERO, to_, NUMBERS<T>, algorithm_,
                                buffer_));
    }

    double bytes() const
    {
        return bytes_;
    }

  private:
    StoredMatrix(const gpu::Grid &grid,
                 size_t height,
                 cusparseSpMVAlg_t algorithm,
                 const gpu::LaplacianMatrix<T> &host)
        : algorithm_(algorithm), bytes_(host.bytes()), offsets_(host.offsets),
          columns_(host.columns), values_(host.values), vector_(grid.cells())
    {
        int64_t cells = (int64_t) grid.cells();
        size_t buffer_bytes = 0;

        SPARSE_TRY(cusparseCreate(&handle_));
        if (height == 0) {
            SPARSE_TRY(cusparseCreateCsr(
                &matrix_, cells, cells, (int64_t) host.nonzeros, offsets_.data(),
                columns_.data(), values_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                CUSPARSE_INDEX_BASE_ZERO, NUMBERS<T>));
        } else {
            SPARSE_TRY(cusparseCreateSlicedEll(
                &matrix_, cells, cells, (int64_t) host.nonzeros,
                (int64_t) host.values.size(), (int64_t) height, offsets_.data(),
                columns_.data(), values_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                CUSPARSE_INDEX_BASE_ZERO, NUMBERS<T>));
        }
        SPARSE_TRY(cusparseCreateDnVec(&from_, cells, vector_.data(), NUMBERS<T>));
        SPARSE_TRY(cusparseCreateDnVec(&to_, cells, vector_.data(), NUMBERS<T>));
        SPARSE_TRY(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                           &ONE, matrix_, from_, &ZERO, to_, NUMBERS<T>,
                                           algorithm_, &buffer_bytes));
        GPU_TRY(cudaMalloc(&buffer_, std::max<size_t>(16, buffer_bytes)));
        if (height == 0) {
            SPARSE_TRY(cusparseSpMV_preprocess(
                handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &ONE, matrix_, from_, &ZERO,
                to_, NUMBERS<T>, algorithm_, buffer_));
        }
    }

    static constexpr T ONE = 1;
    static constexpr T ZERO = 0;

    cusparseSpMVAlg_t algorithm_;
    double bytes_;
    gpu::Array<int32_t> offsets_;
    gpu::Array<int32_t> columns_;
    gpu::Array<T> values_;
    gpu::Array<T> vector_; /* until multiply() says which */
    cusparseHandle_t handle_ = nullptr;
    cusparseSpMatDescr_t matrix_ = nullptr;
    cusparseDnVecDescr_t from_ = nullptr;
    cusparseDnVecDescr_t to_ = nullptr;
    void *buffer_ = nullptr;
};

template <typename T> constexpr T StoredMatrix<T>::ONE;
template <typename T> constexpr T StoredMatrix<T>::ZERO;

template <typename T>
gpu::PcgProduct<T> product(const gpu::Grid &grid,
                           const char *name,
                           size_t height,
                           cusparseSpMVAlg_t algorithm)
{
    auto matrix = std::make_shared<StoredMatrix<T>>(grid, height, algorithm);

    return {name,
            [=](const T *from, T *to, cudaStream_t stream) {
                matrix->multiply(from, to, stream);
            },
            matrix->bytes()};
}

template <typename T> using Products = std::vector<gpu::PcgProduct<T>>;

template <typename T> Products<T> sliced(const gpu::Grid &grid)
{
    return {
        product<T>(grid, "Sliced ELL, 2 rows", 2, CUSPARSE_SPMV_SELL_ALG1),
        product<T>(grid, "Sliced ELL, 8 rows", 8, CUSPARSE_SPMV_SELL_ALG1),
        product<T>(grid, "Sliced ELL, 32 rows", 32, CUSPARSE_SPMV_SELL_ALG1),
        product<T>(grid, "Sliced ELL, 128 rows", 128, CUSPARSE_SPMV_SELL_ALG1),
    };
}

/* All products of one problem. */
template <typename T> class Stored
{
  public:
    Stored(gpu::Program *program, const gpu::PcgProblem &problem)
        : problem_(problem), pcg_(program, problem)
    {
    }

    void measure(const Products<T> &products,
                 gpu::PcgScalars scalars,
                 const std::string &name,
                 const std::string &matrix)
    {
        std::vector<gpu::PcgMaker<T>> makers;

        for (const gpu::PcgProduct<T> &product : products) {
            makers.push_back([=]() {
                return std::unique_ptr<gpu::PcgSolver<T>>(new gpu::PcgSplit<T>(
                    problem_.grid, pcg_.b(), problem_.iterations, product, scalars));
            });
        }
        pcg_.measure(makers, name, matrix);
    }

  private:
    gpu::PcgProblem problem_;
    gpu::PcgMeasurement<T> pcg_;
};

template <typename T> void measure_all(gpu::Program *program, const std::string &suffix)
{
    const gpu::Grid &grid = gpu::PCG_TABLE3.grid;
    Stored<T> pcg(program, gpu::PCG_TABLE3);
    const Products<T> slices = sliced<T>(grid);

    pcg.measure(slices, gpu::PcgScalars::host, "pcg-stored" + suffix,
                "Sliced ELL, scalars to the host");
    pcg.measure(slices, gpu::PcgScalars::device, "pcg-stored-device" + suffix,
                "Sliced ELL, scalars on the device");
    pcg.measure({product<T>(grid, "CSR, algorithm 1", 0, CUSPARSE_SPMV_CSR_ALG1),
                 product<T>(grid, "CSR, algorithm 2", 0, CUSPARSE_SPMV_CSR_ALG2)},
                gpu::PcgScalars::host, "pcg-stored-csr" + suffix,
                "CSR, scalars to the host");
}

template <typename T>
void measure_sliced(gpu::Program *program,
                    const gpu::PcgProblem &problem,
                    const std::string &suffix)
{
    Stored<T>(program, problem)
        .measure(sliced<T>(problem.grid), gpu::PcgScalars::host, "pcg-stored" + suffix,
                 "Sliced ELL, scalars to the host");
}

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    const gpu::Asked &asked = program.asked();

    if (asked.is_there()) {
        const bool is_double = asked.dtype == "fp64";
        const gpu::PcgProblem problem = {asked.grid(is_double ? 2 : 4),
                                         asked.iterations};

        if (!is_double && asked.dtype != "fp32") {
            asked.refuse_dtype("pcg_stored", "fp32 and fp64");
        }
        is_double ? measure_sliced<double>(&program, problem, asked.suffix())
                  : measure_sliced<float>(&program, problem, asked.suffix());
        return program.exit_code();
    }
    measure_all<float>(&program, "");
    measure_all<double>(&program, "-fp64");
    measure_sliced<float>(&program, gpu::PCG_SMALL, "-small");
    measure_sliced<float>(&program, gpu::PCG_DEMO, "-demo");
    return program.exit_code();
}
