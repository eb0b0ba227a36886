// The kernels for one instruction set; the including file names it and is compiled for it.

#include <memory>

#include "bits.hpp"
#include "kernels.hpp"
#include "lanes.hpp"
#include "sparse.hpp"

namespace exactile::EXACTILE_ISA {

static std::unique_ptr<Kernel> make(const Problem& problem, const Tuning& tuning) {
    if (tuning.method == Method::kBits) return std::make_unique<Bits>(problem, tuning);
    return std::make_unique<Sparse>(problem, tuning);
}

template <std::size_t Words>
static std::size_t free_mask(const Word* masks, std::size_t groups, const Word* state) {
    for (std::size_t group = 0; group < groups; ++group, masks += 8 * Words) {
        Lanes common = both(load(masks), splat(state[0]));
        for (std::size_t w = 1; w < Words; ++w)
            common = either(common, both(load(masks + 8 * w), splat(state[w])));
        if (const unsigned found = empty(common); found != 0) return 8 * group + lowest(found);
    }
    return 8 * groups;
}

Compiled compiled() { return {make, {free_mask<1>, free_mask<2>, free_mask<3>, free_mask<4>}}; }

}  // namespace exactile::EXACTILE_ISA
