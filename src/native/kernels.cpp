#include "kernels.hpp"

#include <stdexcept>
#include <utility>

namespace exactile {

namespace portable {
std::unique_ptr<Kernel> make(const Problem&, const Tuning&);
}
#if defined(EXACTILE_X86)
namespace avx2 {
std::unique_ptr<Kernel> make(const Problem&, const Tuning&);
}
namespace avx512 {
std::unique_ptr<Kernel> make(const Problem&, const Tuning&);
}
#endif

static std::vector<std::pair<std::string, Maker>> makers() {
    std::vector<std::pair<std::string, Maker>> result;
#if defined(EXACTILE_X86)
    const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    if (fast && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
        result.push_back({"avx512", avx512::make});
    if (fast) result.push_back({"avx2", avx2::make});
#endif
    result.push_back({"portable", portable::make});
    return result;
}

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const auto& [name, make] : makers()) names.push_back(name);
    return names;
}

std::unique_ptr<Kernel> make_kernel(const Problem& problem, const Tuning& tuning) {
    for (const auto& [name, make] : makers())
        if (tuning.isa.empty() || tuning.isa == name) return make(problem, tuning);
    throw std::invalid_argument("this machine has no instruction set '" + tuning.isa + "'");
}

}  // namespace exactile
