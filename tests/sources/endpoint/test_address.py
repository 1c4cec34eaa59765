"""A URL is read in one way or not at all, and what is said of it repeats none of it."""

import hashlib
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agenttest.sources.endpoint.address import Address, parse

NO_NUMBER = "a number for a host"
NO_NAME = "a host that is no name"
NO_PORT = "no port after the colon"
NO_V6 = "brackets that do not hold an IPv6 address"
KEY = "sk-0123456789abcdef"


def refused(url: str) -> str:
    """What is said of a URL that is not right."""
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the words are looked at)
        parse(url)
    return str(error.value)


def sha(url: str) -> str:
    """The fingerprint of a canonical URL."""
    return hashlib.sha256(url.encode()).hexdigest()


def test_a_url_has_its_parts() -> None:
    found = parse("http://127.0.0.1:8080/v1/chat/completions?a=1")

    parts = (found.scheme, found.host, found.port, found.target)
    assert ("http", "127.0.0.1", 8080, "/v1/chat/completions?a=1") == parts


@pytest.mark.parametrize(("scheme", "port"), [("http", 80), ("https", 443), ("HTTPS", 443)])
def test_the_port_is_the_schemes_own_where_none_is_given(scheme: str, port: int) -> None:
    assert port == parse(f"{scheme}://agent/").port


def test_an_ipv6_host_has_no_brackets() -> None:
    assert ("fd00::1", 81) == (parse("http://[FD00::1]:81/").host, parse("http://[fd00::1]:81").port)


@pytest.mark.parametrize(
    ("given", "target"),
    [
        ("http://agent", "/"),
        ("http://agent?x=1", "/?x=1"),
        ("http://agent/a/../b/%2e%2E//c", "/a/../b/%2e%2E//c"),
        ("http://agent/A?q=a@b:c/d?e", "/A?q=a@b:c/d?e"),
        ("http://agent/{v1}|'\"<>", "/{v1}|'\"<>"),
    ],
)
def test_path_and_query_are_kept_as_they_are(given: str, target: str) -> None:
    assert target == parse(given).target


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("HTTP://LocalHost:80", "http://localhost/"),
        ("https://Agent.Example.com:443/V1?Q=A", "https://agent.example.com/V1?Q=A"),
        ("https://agent:80/", "https://agent:80/"),
        ("http://agent:0080?x", "http://agent/?x"),
        ("http://[FD00::A]:80/%7e", "http://[fd00::a]/%7e"),
        ("http://agent/?", "http://agent/?"),
    ],
)
def test_the_fingerprint_is_that_of_the_canonical_url(given: str, canonical: str) -> None:
    assert sha(canonical) == parse(given).fingerprint


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST", "LocalHost", "127.0.0.1", "127.0.0.2", "127.255.255.255", "[::1]", "[0:0:0:0:0:0:0:1]"],
)
def test_these_hosts_are_loopback(host: str) -> None:
    assert parse(f"http://{host}:8080/").loopback


@pytest.mark.parametrize(
    "host",
    [
        "localhost.example.com",
        "localhost.",
        "localhost.localdomain",
        "ip6-localhost",
        "0.0.0.0",
        "128.0.0.1",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "127.0.0.1.nip.io",
    ],
)
def test_these_hosts_are_not_loopback(host: str) -> None:
    assert not parse(f"http://{host}:8080/").loopback


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "is empty"),
        (" ", "has space around it"),
        (" http://agent/", "has space around it"),
        ("http://agent/\n", "has space around it"),
        ("http://agent/a b", "a space or a control character"),
        ("http://agent/a\tb", "a space or a control character"),
        ("http://ag\0ent/", "a space or a control character"),
        ("http://agent/\x7f.", "a space or a control character"),
        ("http://127.0.0.1\\@agent.example.com/v1", "a backslash"),
        ("http://bücher.example/", "punycode"),
        ("http://agent/ü", "percent-encoded"),
        ("http://agent/\udc80.", "not ASCII"),
        ("agent:8080", "is no URL"),
        ("http:agent", "is no URL"),
        ("//agent/", "is no URL"),
        ("file:///etc/hostname", "neither http nor https"),
        ("ftp://agent/", "neither http nor https"),
        ("http+unix://agent/", "neither http nor https"),
        ("http://agent/#", "a fragment"),
        ("http://agent#top", "a fragment"),
        ("http://@agent/", "credentials"),
        ("http://:@agent/", "credentials"),
        ("http://reader@agent/", "credentials"),
        ("http://reader:word@agent/", "credentials"),
        ("http://a@b@agent/", "credentials"),
        ("http://", "names no host"),
        ("http:///v1", "names no host"),
        ("http://:8080/", "names no host"),
        ("http://?x", "names no host"),
        ("http://agent:/", NO_PORT),
        ("http://agent:0/", NO_PORT),
        ("http://agent:70000/", NO_PORT),
        ("http://agent:http/", NO_PORT),
        ("http://agent:+80/", NO_PORT),
        ("http://agent:8_0/", NO_PORT),
        ("http://agent:-1/", NO_PORT),
        ("http://[::1]:/", NO_PORT),
        ("http://[::1/v1", NO_V6),
        ("http://[::1]8080/", NO_V6),
        ("http://[127.0.0.1]/", NO_V6),
        ("http://[agent]/", NO_V6),
        ("http://[]/", NO_V6),
        ("http://[v1.x]/", NO_V6),
        ("http://::1/", NO_NAME),
        ("http://::1]/", NO_NAME),
        ("http://[fe80::1%eth0]/", "a zone"),
        ("http://[fe80::1%25eth0]/", "a zone"),
        ("http://127.1/", NO_NUMBER),
        ("http://2130706433/", NO_NUMBER),
        ("http://0x7f000001/", NO_NUMBER),
        ("http://0x7f.1/", NO_NUMBER),
        ("http://0177.0.0.1/", NO_NUMBER),
        ("http://127.0.0.01/", NO_NUMBER),
        ("http://127.0.0.1./", NO_NUMBER),
        ("http://256.0.0.1/", NO_NUMBER),
        ("http://%31/", NO_NAME),
        ("http://agent,other/", NO_NAME),
        ("http://a..b/", NO_NAME),
        ("http://.agent/", NO_NAME),
        ("http://./", NO_NAME),
        (f"http://{'a' * 64}/", NO_NAME),
        (f"http://{'a.' * 127}a/", NO_NAME),
    ],
)
def test_this_is_refused(given: str, said: str) -> None:
    assert said in refused(given)


def test_all_that_is_wrong_is_told_at_once() -> None:
    said = refused("ftp://reader@agent:0/#top")

    assert 4 == len([word for word in ("neither http", "fragment", "credentials", NO_PORT) if word in said])


@pytest.mark.parametrize(
    "given",
    [
        f"http://reader:{KEY}@agent:0/#",
        f"http://agent:{KEY}/",
        f"http://{KEY}:x@agent/",
        f"{KEY}://agent/",
        f"http://agent/ ?key={KEY}",
        f"http://[{KEY}]/",
        f"http://%{KEY}/",
    ],
)
def test_nothing_of_a_refused_url_is_repeated(given: str) -> None:
    assert "0123456789" not in refused(given)


def test_saved_words_hold_neither_the_url_nor_its_canonical_form() -> None:
    assert ("HTTP://Agent:80", "http://agent/") == parse("HTTP://Agent:80").texts


def test_a_key_in_the_query_is_a_text_to_hide_as_given_and_as_meant() -> None:
    texts = parse("https://agent/v1?api-version=1&key=abc%2Bdef+0123456789").texts

    hidden = ("api-version=1&key=abc%2Bdef+0123456789", "abc%2Bdef+0123456789", "abc+def+0123456789", "abc+def 0123456789")
    assert [] == [text for text in hidden if text not in texts]


def test_a_query_without_a_name_is_a_text_to_hide() -> None:
    assert KEY in parse(f"https://agent/v1?{KEY}").texts


def test_short_values_of_a_query_are_left_in_saved_words() -> None:
    given = "https://agent/v1?v=1&w=true"

    assert (given,) == parse(given).texts


@example("http://[")
@example("http://[::1]:80:80/")
@example("http://a:" + "9" * 5000)
@given(st.text() | st.text(string.printable) | st.builds("http://{}".format, st.text(":/@[]%.#?1x\\", max_size=20)))
def test_any_text_is_an_address_or_a_value_error(text: str) -> None:
    try:
        found: Address | None = parse(text)
    except ValueError:
        found = None

    assert found is None or found.target.startswith("/")


LABELS = st.from_regex(r"[a-z][a-z0-9-]{0,9}", fullmatch=True)
HOSTS = st.lists(LABELS, min_size=1, max_size=3).map(".".join) | st.ip_addresses(v=4).map(str)
TARGETS = st.text(string.ascii_letters + string.digits + "/?&=%.~", max_size=20).map("/{}".format)


@given(HOSTS, TARGETS, st.integers(1, 65535), st.booleans())
def test_spellings_of_one_url_have_one_fingerprint(host: str, target: str, port: int, upper: bool) -> None:
    place = f"http://{host}"
    canonical = f"{place}{'' if port == 80 else f':{port}'}{target}"
    spelled = f"{place.upper() if upper else place}:{port}{target}"

    assert sha(canonical) == parse(spelled).fingerprint
