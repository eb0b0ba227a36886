#include "kernels.hpp"

#include <stdexcept>
#include <utility>

namespace exactile {

namespace portable {
Compiled compiled();
}
#if defined(EXACTILE_X86)
namespace avx2 {
Compiled compiled();
}
namespace avx512 {
Compiled compiled();
}
#endif

static std::vector<std::pair<std::string, Compiled>> all_compiled() {
    std::vector<std::pair<std::string, Compiled>> result;
#if defined(EXACTILE_X86)
    const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    if (fast && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
        result.push_back({"avx512", avx512::compiled()});
    if (fast) result.push_back({"avx2", avx2::compiled()});
#endif
    result.push_back({"portable", portable::compiled()});
    return result;
}

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const auto& [name, compiled] : all_compiled()) names.push_back(name);
    return names;
}

static Compiled compiled_for(const std::string& isa) {
    for (const auto& [name, compiled] : all_compiled())
        if (isa.empty() || isa == name) return compiled;
    throw std::invalid_argument("this machine has no instruction set '" + isa + "'");
}

std::unique_ptr<Kernel> make_kernel(const Problem& problem, const Tuning& tuning) {
    return compiled_for(tuning.isa).make(problem, tuning);
}

FreeMask free_mask(std::size_t words, const std::string& isa) {
    return compiled_for(isa).free_mask[words - 1];
}

}  // namespace exactile
