#include "search.hpp"

#include <algorithm>

namespace exactile {

Path Left::path() const {
    Path result;
    result.reserve(size());
    if (shared) result.assign(trunk->begin(), trunk->begin() + static_cast<std::ptrdiff_t>(shared));
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}

void Run::leave(Index option) {
    if (!trunk_) trunk_ = std::make_shared<const Path>(path);
    const auto end =
        trunk_->begin() + static_cast<std::ptrdiff_t>(std::min(trunk_->size(), path.size()));
    const auto fork = std::mismatch(trunk_->begin(), end, path.cbegin());
    Left& branch = left.emplace_back();
    branch.trunk = trunk_;
    branch.shared = static_cast<std::size_t>(fork.first - trunk_->begin());
    branch.rest.assign(fork.second, path.cend());
    branch.rest.push_back(option);
}

void Run::divide(std::int64_t branches) {
    for (Left& branch : left) branch.weight /= static_cast<double>(branches);
}

void Run::look() {
    fuel_ = kWorkPerLook;
    const Clock::time_point now = Clock::now();
    if (now >= deadline || (wanted && wanted->load(std::memory_order_relaxed))) stopping_ = true;
    if (!interrupted || now < next_question_) return;
    next_question_ = deadline_in(kPatience);
    ended = ended || (*interrupted)();
    stopping_ = stopping_ || ended;
}

}  // namespace exactile
