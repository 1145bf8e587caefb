"""Teaches a language model to write GeoFlow graphs: supervised fine-tuning, then direct preference optimisation.

Reads what `trigpoint geoflow training-data` writes. Both stages train low-rank adapters (LoRA). The second stage starts
from the merged model of the first one, which is also its reference model (Spatial-Agent, section 3.4; the paper gives
neither learning rates nor beta: the defaults here are ours). Runs apart from Trigpoint, in the environment of
`scripts/train`, which has TRL.

    scripts/train DATA --model MODEL --to FOLDER      (or --model tiny-random: a model of random weights, to try it out)
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset, load_dataset
from peft import LoraConfig
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
)
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

TINY = "tiny-random"
CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
MARKS = ["<|pad|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]


def main() -> None:
    """Train in both stages, and write the model and report.json."""
    told = _arguments()
    torch.manual_seed(told.seed)
    sft = {split: _load(told.data / "sft", split) for split in ("train", "test")}
    dpo = {split: _load(told.data / "dpo", split) for split in ("train", "test")}
    tokenizer, model = _model(told.model, sft["train"])
    taught, supervised = _fine_tune(told, model, tokenizer, sft)
    preferring, preferred = _prefer(told, taught, tokenizer, dpo)
    preferring.save_pretrained(told.to / "model")
    tokenizer.save_pretrained(told.to / "model")
    report = {"model": told.model, "seed": told.seed, "sft": supervised, "dpo": preferred}
    (told.to / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(report) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder that `trigpoint geoflow training-data` wrote")
    parser.add_argument(
        "--model", required=True, help=f"a model of the Hugging Face hub, a folder, or {TINY}"
    )
    parser.add_argument("--to", type=Path, required=True, help="the folder for the model and report.json")
    parser.add_argument("--steps", type=int, default=-1, help="at most so many steps a stage (default: all)")
    parser.add_argument("--epochs", type=float, default=1.0, help="epochs a stage")
    parser.add_argument("--batch", type=int, default=4, help="examples a step")
    parser.add_argument("--sft-rate", type=float, default=2e-4, help="learning rate of the first stage")
    parser.add_argument("--dpo-rate", type=float, default=2e-5, help="learning rate of the second stage")
    parser.add_argument("--beta", type=float, default=0.1, help="beta of DPO")
    parser.add_argument("--rank", type=int, default=16, help="rank of the adapters")
    parser.add_argument("--longest", type=int, default=4096, help="tokens of an example")
    parser.add_argument(
        "--evaluated", type=int, default=200, help="test examples that losses are measured on"
    )
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if not (told.data / "sft").is_dir():
        sys.exit(f"{told.data} has no folder sft: write it with `trigpoint geoflow training-data`.")
    told.to.mkdir(parents=True, exist_ok=True)
    return told


def _load(folder: Path, split: str) -> Dataset:
    return load_dataset("json", data_files={split: str(folder / f"{split}.jsonl")}, split=split)


def _model(name: str, examples: Dataset) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    if name != TINY:
        return AutoTokenizer.from_pretrained(name), AutoModelForCausalLM.from_pretrained(name)
    tokenizer = _tiny_tokenizer(examples)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=8192,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    return tokenizer, LlamaForCausalLM(config)


def _tiny_tokenizer(examples: Dataset) -> PreTrainedTokenizerFast:
    """Byte pairs of the training examples: nothing is downloaded."""
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=2000,
        special_tokens=MARKS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = (message["content"] for one in examples for message in [*one["prompt"], *one["completion"]])
    words.train_from_iterator(texts, trainer)
    pad, end = MARKS[:2]
    return PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token=pad, eos_token=end, chat_template=CHAT_TEMPLATE
    )


def _fine_tune(
    told: argparse.Namespace,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    examples: dict[str, Dataset],
) -> tuple[PreTrainedModel, dict[str, Any]]:
    """The model with the first stage's adapters merged into it, and the loss on test examples before and after."""
    trainer = SFTTrainer(
        model=model,
        args=SFTConfig(
            learning_rate=told.sft_rate,
            max_length=told.longest,
            completion_only_loss=True,
            **_common(told, "sft"),
        ),
        train_dataset=_fields(examples["train"], ["prompt", "completion"]),
        eval_dataset=_fields(_first(examples["test"], told.evaluated), ["prompt", "completion"]),
        processing_class=tokenizer,
        peft_config=_adapters(told),
    )
    before = trainer.evaluate()["eval_loss"]
    trainer.train()
    after = trainer.evaluate()["eval_loss"]
    return trainer.model.merge_and_unload(), {
        "examples": len(examples["train"]),
        "steps": trainer.state.global_step,
        "test_loss_before": before,
        "test_loss_after": after,
    }


def _prefer(
    told: argparse.Namespace,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    pairs: dict[str, Dataset],
) -> tuple[PreTrainedModel, dict[str, Any]]:
    """The model with the second stage's adapters merged into it, and its loss and accuracy on test pairs.

    Without a reference model of its own, TRL takes the model without its adapters as the reference: the first stage.
    """
    columns = ["prompt", "chosen", "rejected"]
    trainer = DPOTrainer(
        model=model,
        args=DPOConfig(
            learning_rate=told.dpo_rate, beta=told.beta, max_length=told.longest, **_common(told, "dpo")
        ),
        train_dataset=_fields(pairs["train"], columns),
        eval_dataset=_fields(_first(pairs["test"], told.evaluated), columns),
        processing_class=tokenizer,
        peft_config=_adapters(told),
    )
    before = trainer.evaluate()
    trainer.train()
    after = trainer.evaluate()
    return trainer.model.merge_and_unload(), {
        "pairs": len(pairs["train"]),
        "steps": trainer.state.global_step,
        "test_loss_before": before["eval_loss"],
        "test_loss_after": after["eval_loss"],
        "test_accuracy_after": after["eval_rewards/accuracies"],
    }


def _common(told: argparse.Namespace, stage: str) -> dict[str, Any]:
    return {
        "output_dir": str(told.to / stage),
        "per_device_train_batch_size": told.batch,
        "per_device_eval_batch_size": told.batch,
        "num_train_epochs": told.epochs,
        "max_steps": told.steps,
        "seed": told.seed,
        "bf16": torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
        "use_cpu": not torch.cuda.is_available(),
        "gradient_checkpointing": torch.cuda.is_available(),
        "save_strategy": "no",
        "report_to": [],
        "logging_steps": 10,
    }


def _adapters(told: argparse.Namespace) -> LoraConfig:
    return LoraConfig(
        r=told.rank, lora_alpha=2 * told.rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )


def _first(examples: Dataset, most: int) -> Dataset:
    return examples.select(range(min(most, len(examples))))


def _fields(examples: Dataset, names: list[str]) -> Dataset:
    return examples.select_columns(names)


if __name__ == "__main__":
    main()
