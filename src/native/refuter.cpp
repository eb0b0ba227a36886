#include "refuter.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <utility>

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
        if (is_open(option)) assign(option, false, Reason::kGiven);
    for (const Index option : task_.chosen) {
        if (state_[option] < 0)
            throw std::invalid_argument("option " + std::to_string(option) +
                                        " is both chosen and excluded");
        if (is_open(option)) assign(option, true, Reason::kGiven);
    }
}

void Refuter::arrange() {
    const Cover& cover = task_.cover;
    const auto items = static_cast<std::size_t>(cover.items());
    const auto options = static_cast<std::size_t>(cover.options());
    live_.resize(items);
    used_.resize(items);
    first_used_.resize(items, -1);
    state_.resize(options);
    position_.resize(options);
    marked_.resize(options);
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

void Refuter::assign(Index option, bool chosen, Reason reason, Index item) {
    state_[option] = chosen ? 1 : -1;
    position_[option] = trail_.size();
    trail_.push_back({option, item, reason});
    const Cover& cover = task_.cover;
    for (Member m = cover.first[option]; m < cover.first[option + 1]; ++m) {
        const Index i = cover.members[m];
        const std::size_t last = item_first_[i] + static_cast<std::size_t>(--live_[i]);
        const Member other = of_item_[last];
        of_item_[place_[m]] = other;
        place_[other] = place_[m];
        of_item_[last] = m;
        place_[m] = last;
        if (chosen && used_[i]++ == 0) first_used_[i] = option;
    }
}

// Undo all above a level, in reverse order, so that every option is where it was.
void Refuter::go_back(std::size_t level) {
    const Cover& cover = task_.cover;
    for (; trail_.size() > starts_[level]; trail_.pop_back()) {
        const auto [option, item, reason] = trail_.back();
        for (Member m = cover.first[option + 1]; m-- > cover.first[option];) {
            ++live_[cover.members[m]];
            used_[cover.members[m]] -= is_chosen(option);
        }
        state_[option] = 0;
        if (reason == Reason::kLemma) {
            write("d ", kept_.back());
            kept_.pop_back();
        }
    }
    starts_.resize(level);
    done_ = trail_.size();
}

// Draw conclusions from the bounds of an item; false if they cannot be kept.
bool Refuter::settle(Index item) {
    const Index lower = task_.cover.lower[item], upper = task_.cover.upper[item];
    const bool full = used_[item] == upper;
    if (used_[item] > upper || used_[item] + live_[item] < lower) {
        failed_ = item;
        return false;
    }
    if (!full && used_[item] + live_[item] > lower) return true;
    while (live_[item] > 0) {
        const std::size_t last = item_first_[item] + static_cast<std::size_t>(live_[item]) - 1;
        assign(owner_[of_item_[last]], !full, Reason::kItem, item);
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

// --- why a node failed

void Refuter::mark(Index option) {
    if (marked_[option] || level() == 0 || position_[option] < starts_[0]) return;
    marked_[option] = true;
    ++marks_;
}

// Mark options of an item that were chosen, or excluded, before some place of the trail.
void Refuter::mark_decided(Index item, bool chosen, std::size_t before) {
    if (chosen && task_.cover.upper[item] == 1 && used_[item] == 1) return mark(first_used_[item]);
    const std::size_t open = item_first_[item] + static_cast<std::size_t>(live_[item]);
    for (std::size_t k = item_first_[item + 1]; k-- > open;) {  // in the order of the trail
        const Index option = owner_[of_item_[k]];
        if (position_[option] >= before) break;
        if (is_chosen(option) == chosen) mark(option);
    }
}

void Refuter::mark_failure() {
    const bool too_many = used_[failed_] > task_.cover.upper[failed_];
    mark_decided(failed_, too_many, trail_.size());
}

void Refuter::mark_solution() {
    for (const Step& step : trail_)
        if (!task_.pinned || is_chosen(step.option)) mark(step.option);
}

// Go back from what is marked to the decisions that it comes from, in the order of the trail.
Refuter::Options Refuter::decisions_marked() {
    Options decisions;
    std::size_t lemma = kept_.size();
    for (std::size_t at = trail_.size(); marks_ > 0;) {
        const auto [option, item, reason] = trail_[--at];
        lemma -= reason == Reason::kLemma;
        if (!marked_[option]) continue;
        marked_[option] = false;
        --marks_;
        if (reason == Reason::kDecision) decisions.push_back(option);
        if (reason == Reason::kItem) mark_decided(item, !is_chosen(option), at);
        if (reason == Reason::kLemma)
            for (const Index other : kept_[lemma])
                if (other != option) mark(other);
    }
    std::ranges::reverse(decisions);
    return decisions;
}

void Refuter::write(const char* prefix, const Options& lemma) {
    text_ += prefix;
    for (const Index option : lemma) {
        char number[16];
        const auto end = std::to_chars(number, number + sizeof number, task_.variables[option]).ptr;
        text_ += '-';
        text_.append(number, end);
        text_ += ' ';
    }
    text_ += "0\n";
}

// These decisions cannot be taken together: write it down and go on without the last of them.
void Refuter::learn(Options decisions) {
    write("", decisions);
    ++lemmas_;
    literals_ += decisions.size();
    if (decisions.empty()) {
        finished_ = true;
        return;
    }
    const Index last = decisions.back();
    const auto above = std::ranges::upper_bound(starts_, position_[last]);
    go_back(static_cast<std::size_t>(above - starts_.begin()) - 1);
    kept_.push_back(std::move(decisions));
    assign(last, false, Reason::kLemma);
}

void Refuter::note_solution() {
    std::vector<Index> chosen;
    for (const Step& step : trail_)
        if (is_chosen(step.option)) chosen.push_back(step.option);
    std::ranges::sort(chosen);
    solutions_.add(chosen);
}

void Refuter::run(double seconds, std::size_t bytes) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    for (; !finished_ && text_.size() < bytes && Clock::now() < end; ++nodes_) {
        const bool fine = propagate();
        const Index option = fine ? next_option() : -1;
        if (option >= 0) {
            starts_.push_back(trail_.size());
            assign(option, true, Reason::kDecision);
            continue;
        }
        if (fine) note_solution();
        if (task_.reduce) {
            fine ? mark_solution() : mark_failure();
            learn(decisions_marked());
        } else {
            Options decisions;
            for (const std::size_t start : starts_) decisions.push_back(trail_[start].option);
            learn(std::move(decisions));
        }
    }
}

std::string Refuter::take_text() { return std::exchange(text_, {}); }

Paths Refuter::take_solutions() { return std::exchange(solutions_, {}); }

}  // namespace exactile
