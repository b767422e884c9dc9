"""Everything about a scan that can be settled, and refused, before a model is loaded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rmaudit import __version__
from rmaudit.checklists.load import ChecklistSet, combine, content_hash, subset
from rmaudit.checklists.references.read import ReferencesRead
from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Request, Sampling
from rmaudit.errors import InputError
from rmaudit.gate.lint import load_applicable
from rmaudit.gate.precheck import foresee
from rmaudit.gate.stop import Stopping, load_stopping
from rmaudit.judging.atomise import Atomiser, make_atomiser
from rmaudit.judging.card import judge_facts, labeler_facts
from rmaudit.judging.metajudge import Judge
from rmaudit.judging.replay import ReplayJudge
from rmaudit.labelling.protocol import Labeler
from rmaudit.metrics.rationale import NO_REASONS_GIVEN
from rmaudit.nulls.lists import NULLS
from rmaudit.probing.blind_model import NAME as BLIND
from rmaudit.probing.reword_model import NAME as REWORD
from rmaudit.probing.specification import NAME as SPECIFICATION
from rmaudit.prompts import GUIDED, Template, load_template
from rmaudit.recordings.recording import ShownOrder
from rmaudit.records import Key, Order
from rmaudit.run.annotators import Panel, panels
from rmaudit.run.directory import RunDir
from rmaudit.run.halves import pairs_of
from rmaudit.run.manifest import (
    EngineFacts,
    Identity,
    NullFacts,
    RunManifest,
    SamplingFacts,
    Seeds,
    SetFacts,
)
from rmaudit.run.null_rows import null_items
from rmaudit.run.probe_facts import CONSISTENCY
from rmaudit.run.results import chance_partners
from rmaudit.run.schema import SCHEMA_VERSION
from rmaudit.run.sensitivity import edits
from rmaudit.scan.endpoint_target import scoring_endpoint
from rmaudit.scan.item_source import (
    check_recording,
    named_sets,
    own_items,
    read_items,
    reference_facts,
)
from rmaudit.scan.judge import make_graders
from rmaudit.scan.measures import Measure, plan_measures
from rmaudit.scan.out import LATEST as LATEST
from rmaudit.scan.out import RUNS as RUNS
from rmaudit.scan.out import out_of
from rmaudit.scan.recorded_graders import recorded_graders
from rmaudit.scan.recorded_rows import as_recorded, at_items, missing_rows, needs_set
from rmaudit.scan.requests import prompt_of, requests_for, shown_orders
from rmaudit.scan.rollouts import not_compared, rollout_sets, rollouts_of
from rmaudit.scan.sampling import sampling_of
from rmaudit.scan.sensitivity_plan import plan_sensitivity
from rmaudit.scan.shard import dealt, shard_of
from rmaudit.scan.target import Target, refuse_log_odds, resolve
from rmaudit.scan.typed import measuring_options, target_options

CANNOT_BE_ASKED = "the judge is recorded: it cannot be asked about lists that read nothing"


@dataclass(frozen=True, slots=True)
class ScanPlan:
    """A scan ready to start."""

    config: ScanConfig
    target: Target
    sets: tuple[ChecklistSet, ...]
    checklist: ChecklistSet
    items: tuple[Item, ...]
    requests: tuple[Request, ...]
    neutralised: int
    sampling: Sampling
    judge: Judge
    judge_why: str
    labeler: Labeler
    template: Template
    out: Path
    references: ReferencesRead | None = None
    measures: tuple[Measure, ...] = ()
    stopping: Stopping | None = None
    warnings: tuple[str, ...] = ()
    atomiser: Atomiser | None = None

    @property
    def orders(self) -> tuple[ShownOrder, ...]:
        """The orders of the scan: those asked for that the target can show."""
        return shown_orders(self.config, self.target)

    @property
    def calls(self) -> int:
        """Model calls at most; a judge or labeller without a model makes none."""
        if self.target.scores_pairs:
            return len(self.requests)
        if self.target.scorer is not None:
            return len(self.items) * 2 + sum(len(edits(item)) for item in self.items)
        judged = self.judge_calls + self.label_calls + self.measure_calls
        return len(self.requests) + self.atomise_calls + judged

    @property
    def atomise_calls(self) -> int:
        """Calls of the judge's model at most that split a rationale, one an answer."""
        return 0 if self.atomiser is None else len(self.keys)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of the verdicts; one for two calls where each response is judged alone."""
        return tuple(pairs_of(request.key for request in self.requests))

    @property
    def measure_calls(self) -> int:
        """Calls of target and judge at most for the measures asked for beside the rest."""
        return sum(measure.calls + measure.judge_calls for measure in self.measures)

    def messages(self, item: Item, order: Order) -> tuple[dict[str, str], ...]:
        """The prompt of a pair in an order; none where the target is not prompted."""
        return prompt_of(self.config, self.target, item, order).messages

    @property
    def judge_calls(self) -> int:
        """Calls of the judge's model at most: every answer has reasons, and none is known yet."""
        traits = self.judge.traits
        if not (traits.calls and self.target.gives_reasons):
            return 0
        judged = {item.id for item in self.items if item.reasons}
        drawn = chance_partners(self.items, seed=self.config.seed, most=traits.chance_items)
        panel_of = self.panels
        rows = sum(
            (key.item in judged) + (key.item in drawn) + (key.item in panel_of) for key in self.keys
        )
        return rows + sum(len(panel.reasons) for panel in panel_of.values()) + self.null_calls

    @property
    def nulls(self) -> NullFacts:
        """On how many items lists that read nothing are scored, or why on none."""
        most = self.judge.traits.null_items
        if not self.target.gives_reasons:
            return NullFacts(items=0, why=NO_REASONS_GIVEN)
        return NullFacts(items=most) if most else NullFacts(items=0, why=CANNOT_BE_ASKED)

    @property
    def null_calls(self) -> int:
        """Those of `judge_calls` that are about lists which read nothing."""
        return len(NULLS) * len(null_items(self.items, most=self.nulls.items))

    @property
    def panels(self) -> dict[str, Panel]:
        """Items on which the human ceiling is measured, by a judge that can be asked."""
        if not self.target.gives_reasons or isinstance(self.judge, ReplayJudge):
            return {}
        return panels(self.items, most=self.judge.traits.chance_items)

    @property
    def label_calls(self) -> int:
        """Calls of the labeller's model at most, one for each answer to a pair as it is."""
        if not (self.labeler.traits.calls and self.target.gives_reasons):
            return 0
        return sum(key.variant == "base" and key.slot == "pair" for key in self.keys)

    @property
    def reference_origins(self) -> list[str]:
        """Who wrote the reasons or gold judgments of the items; empty where there are none."""
        with_references = (item for item in self.items if item.reasons or item.gold_judgment)
        return sorted({item.reference_origin for item in with_references})

    @property
    def templates(self) -> tuple[Template, ...]:
        """The prompts of target, judge and labeller."""
        own = (self.template,) if self.target.prompted else ()
        if self.guidelines:
            own = (*own, load_template(GUIDED))
        for measure in self.measures:
            if measure.name == SPECIFICATION and measure.calls:
                own = (*own, load_template(SPECIFICATION))
            if measure.judge_calls:
                own = (*own, load_template(BLIND if measure.name == CONSISTENCY else REWORD))
        own = (*own, self.atomiser.template) if self.atomiser else own
        return tuple(dict.fromkeys((*own, *self.judge.templates, *self.labeler.templates)))

    @property
    def guidelines(self) -> tuple[str, ...]:
        """What the target's profile says before the prompt; none where it is not prompted."""
        return self.target.profile.guidelines if self.target.prompted else ()

    @property
    def _how_it_stops(self) -> str:
        if self.stopping is not None:
            return "sequential"
        return "quick" if self.config.preset == "quick" else "full"

    @property
    def whys(self) -> dict[str, str]:
        """The measures asked for, each with why it does not apply or ''."""
        return {measure.name: measure.why for measure in self.measures}

    def identity(self) -> Identity:
        """What decides the result: a resume must not change any of it."""
        config = self.config
        return Identity(
            target=self.target.digest,
            set=self.checklist.sha256,
            limit=config.limit,
            seed=config.seed,
            orders=config.orders,
            samples=config.samples,
            max_reasons=config.max_reasons,
            verdicts=config.verdicts,
            **self.judge.identity(),
            **self.labeler.identity(),
            engine=self.target.engine.name,
            profile=self.target.profile.name,
            **asdict(self.sampling),
            prompt=self.template.sha256,
            until_decided=None if self.stopping is None else self.stopping.digest,
            **self._guided,
            **self.config.direction,
            **self._part,
        )

    @property
    def _part(self) -> dict[str, Any]:
        """Which part of a scan in several it is; a whole one says nothing of it."""
        return {"shard": self.config.shard} if self.config.shard else {}

    @property
    def _guided(self) -> dict[str, Any]:
        """Guidelines and who splits rationales: a run without them says nothing of them."""
        told: dict[str, Any] = {"guidelines": list(self.guidelines)} if self.guidelines else {}
        return told | ({"atomised_by": self.atomiser.identity()} if self.atomiser else {})

    def manifest(self) -> RunManifest:
        """The manifest before the run; its start sets `started` and `status`."""
        target, config = self.target, self.config
        return RunManifest(
            schema_version=SCHEMA_VERSION,
            tool_version=__version__,
            target=target.recorded(config.direction | target_options(config)),
            rm_type=target.rm_type,
            rm_type_why=target.why,
            sets=[
                SetFacts(
                    name=one.card.name,
                    version=one.card.version,
                    origin=one.card.origin,
                    sha256=one.sha256,
                    items=len(one.items),
                    skipped_lines=len(one.skipped),
                    stale_card=one.stale_card,
                )
                for one in self.sets
            ],
            n_items=len(self.items),
            items_sha256=content_hash(self.items),
            reference_origins=self.reference_origins,
            references=reference_facts(self.references),
            judge=judge_facts(self.judge),
            labeler=labeler_facts(self.labeler),
            judge_view=config.judge_view,
            chance_items=self.judge.traits.chance_items,
            nulls=self.nulls,
            max_reasons=config.max_reasons,
            verdicts=config.verdicts,
            orders=list(self.orders),
            samples=config.samples,
            seeds=Seeds(run=config.seed, bootstrap=config.seed, chance=config.seed),
            profile=target.profile.name if target.prompted else "not used",
            sampling=SamplingFacts(**asdict(self.sampling) if target.prompted else {}),
            **self._guided,
            prompts={template.name: template.sha256 for template in self.templates},
            neutralised_delimiters=self.neutralised,
            engine=EngineFacts(name=target.engine.name, why=target.engine_why),
            # Our own prompts hold no references; of recorded answers nobody knows the prompt.
            reference_visible="no" if target.recording is None else "unknown",
            stopping=self._how_it_stops,
            measures=self.whys,
            options=measuring_options(config),
            identity=self.identity(),
            started="",
            finished=None,
            status="planned",
        )


def make_plan(config: ScanConfig) -> ScanPlan:
    """Loads the sets, reads the target's files, renders every prompt.

    Raises:
        InputError: anything that the user can mend before work starts.
    """
    rollouts = rollouts_of(config)
    named = named_sets(config) if config.sets or config.families else ()
    graders = make_graders(config)
    endpoint = {
        "key_env": config.target_key_env,
        "concurrency": config.concurrency,
        "timeout": config.request_timeout,
        "max_retries": config.request_retries,
        "deadline": config.request_deadline,
        "allow_other_model": config.allow_other_model,
    }
    target = scoring_endpoint(config, endpoint) or resolve(
        config.target,
        engine=config.engine,
        profile=config.profile,
        prompt=config.prompt,
        local=config.local,
        skip_bad=config.skip_bad,
        rm_type=config.rm_type,
        endpoint=endpoint,
        recorded_format=config.recorded_format,
    )
    if target.scorer is None:
        refuse_log_odds(target.profile)
    if config.atomise and target.pointwise:
        raise InputError(
            "--atomise splits answers about a pair, and the target judges each response alone",
            "leave --atomise out: its texts are split into sentences",
        )
    own_rollouts = rollouts and rollout_sets(rollouts, config, target)
    needs_set(config, target)
    config = as_recorded(config, target)
    sets = own_rollouts or named or own_items(target) or named_sets(config)
    checklist = combine(sets)
    target = at_items(target, checklist)
    check_recording(config, target, checklist)
    limit = None if own_rollouts else config.limit  # of rollouts, prompts were drawn
    items = subset(checklist.items, limit=limit, seed=config.seed)
    if config.shard is not None:
        items = dealt(items, shard_of(config, target))
    asked, (config, judge, labeler, judge_why) = config, graders.suited(checklist.items)
    config = as_recorded(config, target)
    judge, labeler, judge_why = recorded_graders(asked, target, judge, labeler, judge_why)
    sampling = sampling_of(config, target)
    requests, neutralised = requests_for(config, target, items)
    target = missing_rows(target, requests)
    shown = len(shown_orders(config, target))
    measures = plan_measures(config, target, items, judge, orders=shown, sampling=sampling)
    measures += plan_sensitivity(config, target, items, orders=shown, sampling=sampling)
    plan = ScanPlan(
        config=config,
        target=target,
        sets=sets,
        checklist=checklist,
        items=items,
        requests=requests,
        neutralised=neutralised,
        sampling=sampling,
        judge=judge,
        judge_why=judge_why,
        labeler=labeler,
        template=target.template,
        out=out_of(config, target),
        references=read_items(items, checklist.place_of),
        measures=measures,
        atomiser=make_atomiser(config, judge),
    )
    warnings = (*_warnings(plan), *not_compared(rollouts, config, target))
    return replace(plan, stopping=_stopping(plan), warnings=warnings)


def _stopping(plan: ScanPlan) -> Stopping | None:
    """The rules that the scan stops on, None where it uses all items; a policy is checked."""
    config = plan.config
    if config.policy is None:
        return None
    if not config.until_decided:
        if config.baseline is not None:
            RunDir.open(config.baseline)
        return None
    if not plan.target.gives_reasons:
        raise InputError(
            "--until-decided asks a model in steps; these scores are all there",
            "leave --until-decided out",
        )
    return load_stopping(config.policy, config.baseline, items=plan.items, manifest=plan.manifest())


def _warnings(plan: ScanPlan) -> tuple[str, ...]:
    """What keeps the verdict of the policy from being a pass, whatever is measured."""
    config = plan.config
    told = plan.target.cautions
    if config.policy is None:
        return told
    policy = load_applicable(config.policy)
    foreseen = foresee(policy, plan.manifest(), has_baseline=config.baseline is not None)
    return (*told, *foreseen)
