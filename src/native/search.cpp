#include "search.hpp"

#include <algorithm>

namespace exactile {

bool comes_before(const Path& a, const Path& b) {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t k = 0; k < common; ++k) {
        if (a[k] == b[k]) continue;
        // Where one goes on without an option, the other has chosen it before.
        if ((a[k] < 0) != (b[k] < 0)) return b[k] < 0;
        return a[k] < b[k];
    }
    return a.size() < b.size();
}

void Run::leave(Index option) {
    left.push_back({path, 1.0});
    left.back().path.push_back(option);
}

void Run::divide(std::int64_t branches) {
    for (Prefix& prefix : left) prefix.weight /= static_cast<double>(branches);
}

void Run::look() {
    fuel_ = kWorkPerLook;
    const Clock::time_point now = Clock::now();
    if (now >= deadline || (wanted && wanted->load(std::memory_order_relaxed))) stopping_ = true;
    if (!interrupted || now < next_question_) return;
    next_question_ = now + kPatience;
    ended = ended || (*interrupted)();
    stopping_ = stopping_ || ended;
}

}  // namespace exactile
