"""How a test with pytest looks: `pytest examples/python/example_test.py`."""


def test_a_user_registers(phone):
    phone.show("onboarding")
    phone.type("name", "Jane")
    phone.pick("birthday", "1990-06-15")
    phone.tap("next")
    phone.choose("experience", "pro")
    phone.tap("next")
    phone.tap("done")
    phone.expect("flow_did_disappear")
    assert phone.inputs["experience"] == ["pro"]
