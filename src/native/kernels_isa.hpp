// The kernels for one instruction set; the including file names it and is compiled for it.

#include <memory>

#include "bits.hpp"
#include "kernels.hpp"
#include "sparse.hpp"

namespace exactile::EXACTILE_ISA {

std::unique_ptr<Kernel> make(const Problem& problem, const Tuning& tuning) {
    if (tuning.method == Method::kBits) return std::make_unique<Bits>(problem, tuning);
    return std::make_unique<Sparse>(problem, tuning);
}

}  // namespace exactile::EXACTILE_ISA
