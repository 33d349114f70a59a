"""A cross-encoder of three operations, written byte by byte: a pair's score is the sum of the ids of its passage.

The fields are those of onnx.proto, each by its number there.
"""


def _varint(number):
    low = bytearray()
    while number > 127:
        low.append(number & 127 | 128)
        number >>= 7
    return bytes([*low, number])


def _field(number, value):
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    body = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _node(operation, inputs, output, *attributes):
    parts = [*(_field(1, each) for each in inputs), _field(2, output), _field(4, operation)]
    return b"".join([*parts, *(_field(5, each) for each in attributes)])


def _tensor(name, element, *dimensions):
    shape = b"".join(_field(1, _field(1, each) if isinstance(each, int) else _field(2, each)) for each in dimensions)
    return _field(1, name) + _field(2, _field(1, _field(1, element) + _field(2, shape)))


_FLOAT, _INT64 = 1, 7


def cross_encoder():
    """A model of `input_ids` and `token_type_ids`; its output is (1, 1)."""
    axes = _field(1, "axes") + _field(8, 1) + _field(20, 7)
    nodes = [
        _node("Mul", ("input_ids", "token_type_ids"), "kept"),
        _node("Cast", ("kept",), "numbers", _field(1, "to") + _field(3, _FLOAT) + _field(20, 2)),
        _node("ReduceSum", ("numbers",), "logits", axes),
    ]
    inputs = [_tensor(name, _INT64, "batch", "length") for name in ("input_ids", "token_type_ids")]
    graph = [_field(1, each) for each in nodes]
    graph += [_field(2, "sum")]
    graph += [_field(11, each) for each in inputs]
    graph += [_field(12, _tensor("logits", _FLOAT, "batch", 1))]
    return _field(1, 6) + _field(7, b"".join(graph)) + _field(8, _field(1, "") + _field(2, 11))
