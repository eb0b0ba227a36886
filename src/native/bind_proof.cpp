// Proofs for Python: the search that writes them and the checker.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bind.hpp"
#include "deadline.hpp"
#include "proof_checker.hpp"
#include "refuter.hpp"
#include "weights.hpp"

using namespace nb::literals;

static std::ifstream opened(const nb::bytes& path, const char* what) {
    errno = 0;
    std::ifstream file(std::string(path.c_str(), path.size()), std::ios::binary);
    if (!file)
        throw exactile::ProofRefused(std::string("the ") + what +
                                     " cannot be opened: " + std::strerror(errno));
    return file;
}

// Lets Python run for a moment, at once and then every `period`: signals, and a function given by
// the user.
static exactile::ProofPulse pulse_of(const nb::object& heartbeat) {
    static constexpr double period = 0.05;
    return [&heartbeat, next = exactile::Clock::time_point()](std::uint64_t lemmas) mutable {
        if (exactile::Clock::now() < next) return;
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!heartbeat.is_none()) heartbeat(lemmas);
        next = exactile::deadline_in(period);
    };
}

static void bind_checker(nb::module_& m) {
    nb::exception<exactile::ProofRefused>(m, "ProofRefusedError", PyExc_ValueError);
    m.def(
        "check_proof",
        [](const nb::bytes& formula_path, const nb::bytes& proof_path, bool hints,
           const std::vector<std::int64_t>& assumed, const nb::object& heartbeat,
           const std::optional<nb::bytes>& written) {
            std::ifstream formula = opened(formula_path, "formula");
            std::ifstream proof = opened(proof_path, "proof");
            std::ofstream output;
            if (written) output.open(std::string(written->c_str(), written->size()));
            const exactile::ProofPulse pulse = pulse_of(heartbeat);
            exactile::CheckedProof done;
            {
                const nb::gil_scoped_release release;
                done = exactile::check_proof(
                    formula, proof, hints ? exactile::ProofKind::kLrat : exactile::ProofKind::kDrup,
                    assumed, pulse, written ? &output : nullptr);
                output.flush();
            }
            if (written && !output)
                throw exactile::ProofRefused("the proof with hints cannot be written");
            return nb::make_tuple(done.lemmas, done.deletions, done.propagations);
        },
        "formula"_a, "proof"_a, "hints"_a, "assumed"_a, "heartbeat"_a.none(),
        "written"_a.none() = nb::none(),
        "Return the numbers of lemmas, deletions and propagations of a proof that holds.");
}

static void bind_weights(nb::module_& m) {
    using exactile::Weights;
    nb::class_<Weights>(m, "Weights", "Weights under which every row weighs 0 modulo q.")
        .def(
            "__init__",
            [](Weights* self, std::uint32_t q, Vector<std::int64_t> first, Vector<Index> members,
               Vector<std::int64_t> totals) {
                new (self) Weights(q, copied(first), copied(members), copied(totals));
            },
            "q"_a, "first"_a, "members"_a, "totals"_a)
        .def("run", &Weights::run, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Take rows into account until the time is over or nothing is left to be done.")
        .def(
            "dense",
            [](Weights& self) {
                std::vector<std::int64_t> rows;
                {
                    const nb::gil_scoped_release release;
                    rows = self.dense();
                }
                const std::size_t height = self.columns() + 1;
                return as_array(std::move(rows), {height, self.generators()});
            },
            "What each generator weighs each column, and in the last row a solution.")
        .def(
            "one",
            [](Weights& self) {
                std::vector<std::int64_t> weights;
                {
                    const nb::gil_scoped_release release;
                    weights = self.one();
                }
                const std::size_t length = weights.size();
                return as_array(std::move(weights), {length});
            },
            "What the first generator that weighs a solution weighs each column.")
        .def_prop_ro("finished", &Weights::finished)
        .def_prop_ro("exist", &Weights::exist)
        .def_prop_ro("generators", &Weights::generators)
        .def_prop_ro("bytes", &Weights::bytes);
}

void bind_proof(nb::module_& m) {
    using exactile::Refuter;
    bind_checker(m);
    bind_weights(m);
    nb::class_<Refuter>(m, "Refuter", "Exact-cover search that writes a proof.")
        .def(
            "__init__",
            [](Refuter* self, Vector<Index> lower, Vector<Index> upper, Vector<std::int64_t> first,
               Vector<Index> members, Vector<Index> colors, Vector<Index> variables,
               Vector<Index> excluded, Vector<Index> chosen) {
                new (self) Refuter({exactile::Cover{copied(lower), copied(upper), copied(first),
                                                    copied(members), copied(colors)},
                                    copied(variables), copied(excluded), copied(chosen)});
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "variables"_a, "excluded"_a,
            "chosen"_a)
        .def("run", &Refuter::run, "seconds"_a, "most_text"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Search until the time is over, the text is this long, or nothing is left.")
        .def("take_text",
             [](Refuter& self) {
                 const std::string text = self.take_text();
                 return nb::bytes(text.data(), text.size());
             })
        .def("take_solutions", [](Refuter& self) { return padded(self.take_solutions()); })
        .def_prop_ro("finished", &Refuter::finished)
        .def_prop_ro("nodes", &Refuter::nodes)
        .def_prop_ro("lemmas", &Refuter::lemmas);
}
