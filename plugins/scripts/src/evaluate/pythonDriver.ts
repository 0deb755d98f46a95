/** Runs in a Python process: `python3 driver.py job.json`. */
export const pythonDriver = String.raw`import ast
import json
import sys


class Bag(dict):
    """A map whose values are attributes too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)


def read(text):
    return json.loads(text, object_hook=Bag)


class Logger:
    def __getattr__(self, name):
        level = {"warning": "WARN"}.get(name, name.upper())
        if level not in ("TRACE", "DEBUG", "INFO", "WARN", "ERROR"):
            raise AttributeError(name)

        def say(*words):
            message = " ".join(str(word) for word in words)
            print("::" + json.dumps({"logs": [{"level": level, "message": message}]}) + "::", flush=True)

        return say


class RunContext:
    def __init__(self, variables):
        self._variables = variables

    def logger(self):
        return logger

    def getVariables(self):
        return self._variables

    def __getattr__(self, name):
        raise AttributeError(
            "runContext." + name + " is not available here; write an expression into the script instead"
        )


with open(sys.argv[1], encoding="utf-8") as file:
    job = read(file.read())
sys.path.insert(0, job["modules"])
logger = Logger()
names = dict(job["variables"])
names.update(logger=logger, runContext=RunContext(job["variables"]), __name__="__main__")


def evaluate_once():
    tree = ast.parse(job["script"], "script.py")
    result = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, "script.py", "exec"), names)
        result = eval(compile(last, "script.py", "eval"), names)
    else:
        exec(compile(tree, "script.py", "exec"), names)
    if callable(result) and not isinstance(result, type):
        result = result()
    outputs = {}
    for name in job["outputs"]:
        if isinstance(result, dict) and name in result:
            outputs[name] = result[name]
        elif name in names:
            outputs[name] = names[name]
    with open(job["target"], "w", encoding="utf-8") as file:
        json.dump({"result": result, "outputs": outputs}, file, default=str)


def transform_rows():
    code = compile(job["script"], "script.py", "exec")
    with open(job["source"], encoding="utf-8") as source, open(job["target"], "w", encoding="utf-8") as target:
        for line in source:
            if not line.strip():
                continue
            scope = dict(names)
            scope["row"] = read(line)
            exec(code, scope)
            rows = scope.get("rows")
            for row in [scope.get("row")] if rows is None else rows:
                if row is not None:
                    target.write(json.dumps(row, default=str) + "\n")


if "source" in job:
    transform_rows()
else:
    evaluate_once()
`;
