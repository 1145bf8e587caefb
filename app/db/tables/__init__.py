"""The service's own tables, in PostgreSQL schema `trigpoint`."""

from app.db.tables.access import ApiKey, Audit, PageSession
from app.db.tables.assets import Asset
from app.db.tables.base import SCHEMA, Base
from app.db.tables.disputes import Dispute
from app.db.tables.drafts import Draft, DraftAnswer, DraftEvidence
from app.db.tables.embeddings import Embedding
from app.db.tables.facts import Fact, MapFact, WikidataItem
from app.db.tables.geocoding import GeocodedAddress
from app.db.tables.jobs import Job, SentRequest
from app.db.tables.questions import (
    Dataset,
    DatasetSecret,
    DatasetSnapshot,
    DatasetVersion,
    Footprint,
    Gold,
    ImportedDataset,
    Lineage,
    Proof,
    Question,
    QuestionRecheck,
    QuestionSnapshot,
    Solution,
    Template,
)
from app.db.tables.report_cards import ReportCard, ReportCardEntry
from app.db.tables.reviews import ReviewMark, ReviewQuestion, ReviewSample
from app.db.tables.runs import Batch, Endpoint, Prediction, Run, Step
from app.db.tables.schedules import RefreshSchedule
from app.db.tables.scores import (
    BoardAggregate,
    EpisodeFigures,
    Expectation,
    ReasoningFigures,
    RunComparison,
    RunStanding,
    Score,
)
from app.db.tables.sessions import AgentSession, AgentSessionCall
from app.db.tables.snapshots import Snapshot, SnapshotChange, SnapshotComparison
from app.db.tables.submissions import Submission, SubmissionAnswer

__all__ = [
    "SCHEMA",
    "AgentSession",
    "AgentSessionCall",
    "ApiKey",
    "Asset",
    "Audit",
    "Base",
    "Batch",
    "BoardAggregate",
    "Dataset",
    "DatasetSecret",
    "DatasetSnapshot",
    "DatasetVersion",
    "Dispute",
    "Draft",
    "DraftAnswer",
    "DraftEvidence",
    "Embedding",
    "Endpoint",
    "EpisodeFigures",
    "Expectation",
    "Fact",
    "Footprint",
    "GeocodedAddress",
    "Gold",
    "ImportedDataset",
    "Job",
    "Lineage",
    "MapFact",
    "PageSession",
    "Prediction",
    "Proof",
    "Question",
    "QuestionRecheck",
    "QuestionSnapshot",
    "ReasoningFigures",
    "RefreshSchedule",
    "ReportCard",
    "ReportCardEntry",
    "ReviewMark",
    "ReviewQuestion",
    "ReviewSample",
    "Run",
    "RunComparison",
    "RunStanding",
    "Score",
    "SentRequest",
    "Snapshot",
    "SnapshotChange",
    "SnapshotComparison",
    "Solution",
    "Step",
    "Submission",
    "SubmissionAnswer",
    "Template",
    "WikidataItem",
]
