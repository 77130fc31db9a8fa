/** What stands where no source of a sign-up is kept: with signs of a robot it never is. */
export function sourceless(one: {
  readonly standing: string
  readonly isImported?: boolean | undefined
}): string {
  if (one.isImported) return 'imported'
  return one.standing === 'quarantined' ? 'not kept' : 'direct'
}
