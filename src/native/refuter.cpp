#include "refuter.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "deadline.hpp"

namespace exactile {

static void check(const RefuterTask& task) {
    const Index options = task.cover.options();
    if (std::ranges::any_of(task.cover.colors, [](Index color) { return color != 0; }))
        throw std::invalid_argument("items with colors cannot be refuted");
    if (std::ssize(task.variables) != options)
        throw std::invalid_argument("there must be a variable for each option");
    if (std::ranges::any_of(task.variables, [](Index variable) { return variable < 1; }))
        throw std::invalid_argument("variables are numbers from 1 on");
    for (const auto* given : {&task.excluded, &task.chosen})
        for (const Index option : *given)
            if (option < 0 || option >= options)
                throw std::invalid_argument("there is no option " + std::to_string(option));
}

Refuter::Refuter(RefuterTask task) : task_(std::move(task)) {
    task_.cover = Problem(std::move(task_.cover)).cover;  // checked
    check(task_);
    arrange();
    for (const Index option : task_.excluded)
        if (is_open(option)) assign(option, false);
    for (const Index option : task_.chosen) {
        if (state_[option] < 0)
            throw std::invalid_argument("option " + std::to_string(option) +
                                        " is both chosen and excluded");
        if (is_open(option)) assign(option, true);
    }
}

void Refuter::arrange() {
    const Cover& cover = task_.cover;
    const auto items = static_cast<std::size_t>(cover.items());
    const auto options = static_cast<std::size_t>(cover.options());
    live_.resize(items);
    used_.resize(items);
    state_.resize(options);
    for (const Index item : cover.members) ++live_[item];
    item_first_ = {0};
    for (const Index count : live_)
        item_first_.push_back(item_first_.back() + static_cast<std::size_t>(count));
    owner_.resize(cover.members.size());
    place_.resize(cover.members.size());
    of_item_.resize(cover.members.size());
    std::vector<std::size_t> end = item_first_;
    for (Index option = 0; option < cover.options(); ++option)
        for (Member m = cover.first[option]; m < cover.first[option + 1]; ++m) {
            owner_[m] = option;
            place_[m] = end[cover.members[m]]++;
            of_item_[place_[m]] = m;
        }
}

// --- the state of a node

void Refuter::assign(Index option, bool chosen, bool by_lemma) {
    state_[option] = chosen ? 1 : -1;
    trail_.push_back({option, by_lemma});
    const Cover& cover = task_.cover;
    for (Member m = cover.first[option]; m < cover.first[option + 1]; ++m) {
        const Index i = cover.members[m];
        const std::size_t last = item_first_[i] + static_cast<std::size_t>(--live_[i]);
        const Member other = of_item_[last];
        of_item_[place_[m]] = other;
        place_[other] = place_[m];
        of_item_[last] = m;
        place_[m] = last;
        used_[i] += chosen;
    }
}

// Undo the last level, from its end, so that every option comes back to where it was.
void Refuter::undo_level() {
    const Cover& cover = task_.cover;
    for (const std::size_t start = starts_.back(); trail_.size() > start; trail_.pop_back()) {
        const auto [option, by_lemma] = trail_.back();
        if (by_lemma) write_lemma("d ", option);
        for (Member m = cover.first[option + 1]; m-- > cover.first[option];) {
            ++live_[cover.members[m]];
            used_[cover.members[m]] -= is_chosen(option);
        }
        state_[option] = 0;
    }
    starts_.pop_back();
    done_ = trail_.size();
}

// Draw conclusions from the bounds of an item; false if they cannot be kept.
bool Refuter::settle(Index item) {
    const Index lower = task_.cover.lower[item], upper = task_.cover.upper[item];
    const bool full = used_[item] == upper;
    if (used_[item] > upper || used_[item] + live_[item] < lower) return false;
    if (!full && used_[item] + live_[item] > lower) return true;
    while (live_[item] > 0) {
        const std::size_t last = item_first_[item] + static_cast<std::size_t>(live_[item]) - 1;
        assign(owner_[of_item_[last]], !full);
    }
    return true;
}

bool Refuter::settle_all() {
    for (Index item = 0; item < task_.cover.items(); ++item)
        if (!settle(item)) return false;
    return true;
}

bool Refuter::propagate() {
    if (!settled_ && !settle_all()) return false;
    settled_ = true;
    const Cover& cover = task_.cover;
    for (; done_ < trail_.size(); ++done_) {
        const Index option = trail_[done_].option;
        for (Member m = cover.first[option]; m < cover.first[option + 1]; ++m)
            if (!settle(cover.members[m])) return false;
    }
    return true;
}

Index Refuter::first_live(Index item) const {
    const auto begin = of_item_.begin() + static_cast<std::ptrdiff_t>(item_first_[item]);
    return owner_[*std::min_element(begin, begin + live_[item])];
}

// The option to try next, one of the item with the fewest branches; -1 if this is a solution.
Index Refuter::next_option() const {
    Index best = -1, least = 0;
    for (Index item = 0; item < task_.cover.items(); ++item) {
        const Index need = task_.cover.lower[item] - used_[item];
        if (need <= 0) continue;
        const Index branches = live_[item] - need + 1;
        if (best >= 0 && branches >= least) continue;
        best = item;
        least = branches;
        if (least == 2) break;  // with fewer, propagation would have acted
    }
    if (best >= 0) return first_live(best);
    const auto open = std::ranges::find(state_, 0);
    return open == state_.end() ? -1 : static_cast<Index>(open - state_.begin());
}

// --- the search

void Refuter::note_solution() {
    std::vector<Index> chosen;
    for (const Step& step : trail_)
        if (is_chosen(step.option)) chosen.push_back(step.option);
    std::ranges::sort(chosen);
    solutions_.add(chosen);
}

// Not all of the decisions and this option.
void Refuter::write_lemma(const char* prefix, Index last) {
    text_ += prefix;
    const auto write = [this](Index option) {
        char number[16];
        const auto end = std::to_chars(number, number + sizeof number, task_.variables[option]).ptr;
        text_ += '-';
        text_.append(number, end);
        text_ += ' ';
    };
    for (const std::size_t start : starts_)
        if (trail_[start].option != last) write(trail_[start].option);
    write(last);
    text_ += "0\n";
}

// Nothing new is below the last decision: write it down and go on without it.
void Refuter::leave() {
    ++lemmas_;
    if (starts_.empty()) {
        text_ += "0\n";
        finished_ = true;
        return;
    }
    const Index last = trail_[starts_.back()].option;
    write_lemma("", last);
    undo_level();
    assign(last, false, !starts_.empty());
}

void Refuter::run(double seconds, std::size_t most_text) {
    const Clock::time_point end = deadline_in(seconds);
    for (; !finished_ && text_.size() < most_text && Clock::now() < end; ++nodes_) {
        const bool fine = propagate();
        const Index option = fine ? next_option() : -1;
        if (option >= 0) {
            starts_.push_back(trail_.size());
            assign(option, true);
        } else {
            if (fine) note_solution();
            leave();
        }
    }
}

std::string Refuter::take_text() { return std::exchange(text_, {}); }

Paths Refuter::take_solutions() { return std::exchange(solutions_, {}); }

}  // namespace exactile
