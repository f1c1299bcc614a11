"""The virtual machine itself."""


async def test_the_machine_boots_and_powers_off(machine):
    async with machine() as pc:
        assert (await pc.run("uname -r")).startswith("6.1.")
