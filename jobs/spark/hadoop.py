"""Hadoop's file systems (HDFS, S3, ViewFs and others), from the driver and from its workers.

The driver asks the Java that Spark runs in. A Python worker has no such connection to its
executor's, so it starts a small Java of its own with the jars of the Spark that it runs in, and
keeps it: a second to start, and 140 MB. What else there is does not do. ``SparkContext.addFile``
brings every file to every node; ``binaryFile`` reads files up to 2 GB, and into memory; pyarrow has
no ViewFs and, for HDFS, needs a native library; and Lucene's Java, which a worker may have already,
cannot load Hadoop beside Lucene's own jar. What the user has set of Hadoop (``HADOOP_CONF_DIR``,
``spark.hadoop.*``) goes with the task.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JJavaError
from pyspark.core.files import SparkFiles
from pyspark.errors.exceptions.captured import CapturedException
from pyspark.sql import SparkSession

from evaluator.errors import SetupError
from indexes import jvm

_OPTIONS = ("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
# Who names a place that is not there waits seconds for its server, not the quarter of an hour that
# Hadoop takes by default.
_IMPATIENT = {
    "ipc.client.connect.max.retries": "2",
    "ipc.client.connect.max.retries.on.timeouts": "1",
}
_CLASS = re.compile(r"^(?:[a-z]\w*\.)+[A-Z][\w$]*: ")
_MORE = re.compile(r"\s*(?:; For more details see:.*|\n.*)", re.DOTALL)


class HadoopFiles:
    """The files of Hadoop's file systems.

    Every method raises a SetupError that names the place, with the reason, where it fails.

    Parameters
    ----------
    java
        A Java with Hadoop's client, as Py4J shows it.
    configuration
        Hadoop's, in that Java.
    """

    def __init__(self, java: Any, configuration: Any) -> None:
        self._java, self._hadoop = java, java.org.apache.hadoop
        self._configuration = configuration

    @classmethod
    def of_driver(cls, spark: SparkSession) -> "HadoopFiles":
        """Return those that a session's driver reaches."""
        context = spark.sparkContext
        return cls(context._jvm, context._jsc.hadoopConfiguration())

    def sizes(self, url: str) -> dict[str, int]:
        """Return the bytes of each file below a folder, by its path in it; none without a folder.

        Of a file, its own under the empty path.
        """
        with _told(url):
            place, files = self._of(url)
            if not files.exists(place):
                return {}
            root = files.makeQualified(place).toUri().getPath()
            found, listed = {}, files.listFiles(place, True)
            while listed.hasNext():
                one = listed.next()
                path = one.getPath().toUri().getPath()
                found[path.removeprefix(root).lstrip("/")] = int(one.getLen())
            return found

    def make_folder(self, url: str, *, impatient: bool = False) -> None:
        """Make a folder, and those above it; `impatient`, give up soon where nothing answers."""
        with _told(url):
            if impatient:
                configuration = self._hadoop.conf.Configuration(self._configuration)
                for name, value in _IMPATIENT.items():
                    configuration.set(name, value)
                place = self._hadoop.fs.Path(url)
                # Not the one that is kept for others, who may be patient.
                files = self._hadoop.fs.FileSystem.newInstance(place.toUri(), configuration)
                try:
                    made = files.mkdirs(place)
                finally:
                    files.close()
            else:
                place, files = self._of(url)
                made = files.mkdirs(place)
        if not made:
            raise SetupError(f"{url}: the folder cannot be made")

    def put(self, file: Path, url: str) -> None:
        """Copy a file of this machine to `url`, where nothing is yet."""
        self._copy(url, file, to_here=False)

    def get(self, url: str, file: Path) -> None:
        """Copy a file to this machine."""
        self._copy(url, file, to_here=True)

    def rename(self, url: str, to: str) -> bool:
        """Rename a file or a folder; False where it was not, as where `to` is there."""
        with _told(to):
            place, files = self._of(url)
            return bool(files.rename(place, self._hadoop.fs.Path(to)))

    def delete(self, url: str) -> None:
        """Delete a file or a folder with all that is in it, if it is there."""
        with _told(url):
            place, files = self._of(url)
            files.delete(place, True)

    def settings(self) -> Mapping[str, str]:
        """Return what is set of Hadoop, without its defaults."""
        out = self._java.java.io.StringWriter()
        self._configuration.writeXml(out)
        found = {}
        for told in ElementTree.fromstring(out.toString()).iter("property"):
            name, value = told.findtext("name"), told.findtext("value")
            if name and value and not (told.findtext("source") or "").endswith("-default.xml"):
                found[name] = value
        return found

    def _of(self, url: str) -> tuple[Any, Any]:
        """Return a path of Hadoop, and the file system that has it."""
        place = self._hadoop.fs.Path(url)
        return place, place.getFileSystem(self._configuration)

    def _copy(self, url: str, file: Path, *, to_here: bool) -> None:
        # Java's own files: Hadoop's local ones may have no colon in their names.
        here, copy = self._java.java.io.File(str(file.absolute())), self._hadoop.fs.FileUtil.copy
        with _told(url):
            place, files = self._of(url)
            if to_here:
                copy(files, place, here, False, self._configuration)
            else:
                copy(here, files, place, False, self._configuration)


@cache
def files_here(settings: tuple[tuple[str, str], ...]) -> HadoopFiles:
    """Return those that this worker reaches, with Hadoop set as at the driver.

    Raises
    ------
    SetupError
        Where Spark's jars are not found, or Java does not start.
    """
    jar, jars = _jars()
    try:
        port, token = launch_gateway(
            jarpath=str(jar),
            classpath=os.pathsep.join(jars),
            javaopts=[*_OPTIONS, *_user()],
            java_path=str(jvm.java_home() / "bin" / "java"),
            die_on_exit=True,
            enable_auth=True,
        )
    except Exception as error:
        raise SetupError(f"the Java that speaks to the storage does not start: {error}") from None
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token))
    configuration = gateway.jvm.org.apache.hadoop.conf.Configuration()
    for name, value in settings:
        configuration.set(name, value)
    return HadoopFiles(gateway.jvm, configuration)


def _user() -> list[str]:
    """Return the option that makes this Java act for who runs the job, as Spark's own does.

    With Kerberos it is not looked at: a container of YARN has the tokens of the job.
    """
    user = os.environ.get("HADOOP_USER_NAME") or os.environ.get("SPARK_USER")
    return [f"-DHADOOP_USER_NAME={user}"] if user else []


def _jars() -> tuple[Path, list[str]]:
    """Return Py4J's jar, and the class path of the Spark that this worker runs in.

    YARN tells its containers the class path; elsewhere Spark's jars are in its home. Those that the
    user adds (``spark.jars.packages``), as for S3, are where Spark puts files that it sends along.
    """
    told = os.environ.get("CLASSPATH", "").split(os.pathsep)
    home = os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent
    folders = [Path(one).parent for one in told if one.endswith("*")] + [Path(home) / "jars"]
    for folder in folders:
        for jar in folder.glob("py4j-*.jar"):
            return jar, [
                *filter(None, [os.environ.get("HADOOP_CONF_DIR"), *told]),
                str(folder / "*"),
                str(Path(SparkFiles.getRootDirectory()) / "*"),
            ]
    raise SetupError(f"{Path(home) / 'jars'}: no jars of Spark there; let SPARK_HOME name its home")


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Tell what Java says of a place in one line."""
    try:
        yield
    except Py4JJavaError as error:
        raise SetupError(f"{url}: {_reason(error.java_exception.toString())}") from error
    except CapturedException as error:  # what Spark makes of some that it knows
        told = error._origin.toString() if error._origin is not None else str(error)
        raise SetupError(f"{url}: {_reason(told)}") from error


def _reason(told: str) -> str:
    """Return what an exception of Hadoop says, without classes of Java and links."""
    while found := _CLASS.match(told):
        kind = found[0]
        told = told[len(kind) :]
        if "UnknownHost" in kind:
            return f"there is no host {_MORE.sub('', told)}"
        if "ClassNotFound" in kind:
            return f"{_MORE.sub('', told)}: add its jar (spark.jars.packages in the settings)"
    return _MORE.sub("", told).strip()
