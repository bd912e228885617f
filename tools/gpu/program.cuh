/* What the programs that measure have in common: options, the GPU, the exit code. */
#pragma once

#include "tools/gpu/asked.hpp"
#include "tools/gpu/result.hpp"

namespace gpu
{

/* PROGRAM --out FOLDER [--copy BYTES_PER_SECOND] [--seed N] [--size NXxNYxNZ [--dtype
 * D]
 * [--iterations N]]; without --copy the bandwidth is measured, with --size only this
 * problem. GRIDLOOM_COMMIT of the environment goes into results. Ends with code 1 where
 * the words are wrong, 2 without a GPU.
 */
class Program
{
  public:
    Program(int argc, char **argv);

    /* Writes CHIP-NAME.json of a result and remembers whether its check passed; sets
     * the result's seed. */
    void write(Result *result, const std::string &name);

    /* For main(): 0, or 4 where a check failed. */
    int exit_code() const;

    const Device &device() const
    {
        return run_.device;
    }
    const Asked &asked() const
    {
        return asked_;
    }
    const std::string &folder() const
    {
        return run_.folder;
    }
    /* As --copy says; else measured by the first call. */
    double copy_bytes_per_second();
    /* For the program that measures it. */
    void set_copy_bytes_per_second(double value)
    {
        run_.copy_bytes_per_second = value;
    }
    uint64_t seed() const
    {
        return seed_;
    }

  private:
    Run run_;
    Asked asked_;
    uint64_t seed_ = 1;
    bool is_pass_ = true;
};

}  // namespace gpu
