/**
 * Measures sides one after the other, so that a slow phase of the machine affects all of them. Each
 * is first as often as last, and the first round warms up.
 *
 * @param sides each measures once. @returns what each measured, round by round.
 */
export async function inTurns<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<number>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[]
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Side,
    number[]
  >
  for (let round = 0; round <= rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]()
      if (round > 0) measured[name].push(value)
    }
  return measured
}
