"""Members of archives: read by name, never unpacked, refused when broken."""

import io
import tarfile
import zipfile

import pytest

from vicinal.datasets.archives import member

TEXT = b"seven words of no importance at all\n"


def tar_of(path, *members):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return path


def zip_of(path, *members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


MAKERS = [tar_of, zip_of]


@pytest.mark.parametrize("make", MAKERS)
def test_a_member_is_read_by_name(make, tmp_path):
    path = make(tmp_path / "set", ("other", b"x"), ("in/text", TEXT))
    assert member(path, "in/text", len(TEXT)) == TEXT


def test_without_a_name_the_file_itself_is_read(tmp_path):
    path = tmp_path / "plain"
    path.write_bytes(TEXT)
    assert member(path, "", len(TEXT)) == TEXT


@pytest.mark.parametrize("make", MAKERS)
def test_members_outside_the_folder_are_left_alone(make, tmp_path):
    inside = tmp_path / "deep" / "down"
    inside.mkdir(parents=True)
    path = make(inside / "set", ("../../out", b"bad"), ("/out", b"bad"), ("a", TEXT))
    assert member(path, "a", len(TEXT)) == TEXT
    assert [p.name for p in tmp_path.rglob("*")] == ["deep", "down", "set"]


@pytest.mark.parametrize("make", MAKERS)
def test_no_more_is_read_than_expected(make, tmp_path):
    path = make(tmp_path / "set", ("a", bytes(10_000_000)))
    assert len(member(path, "a", 10)) == 11


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("keep", [0, 10, -30])
def test_a_truncated_archive_is_refused(make, keep, tmp_path):
    path = make(tmp_path / "set", ("a", TEXT * 100))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match="set: must be a whole archive that holds a"):
        member(path, "a", 100 * len(TEXT))


@pytest.mark.parametrize("make", MAKERS)
def test_a_member_that_is_not_there_is_named(make, tmp_path):
    path = make(tmp_path / "set", ("b", TEXT))
    with pytest.raises(ValueError, match="that holds a, got"):
        member(path, "a", 5)


def test_a_link_is_no_member(tmp_path):
    path = tar_of(tmp_path / "set", ("a", None))
    with pytest.raises(ValueError, match="a is no plain file"):
        member(path, "a", 5)
