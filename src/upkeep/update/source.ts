/** Where an installation's code comes from. A checkout of git is one; a folder with a package another. */
export interface Source {
  /**
   * Gets what is new and works out what would be there afterwards, the founder's own words with it.
   * Nothing that runs is changed.
   *
   * @returns `undefined` where nothing is new. @throws Refusal where it cannot be done as it
   *   stands.
   */
  look(): Promise<Look | undefined>
  /** Writes the version to come, whole, into an empty folder. */
  stage(plan: Plan, folder: string): Promise<void>
  /** Whether the folder would be as it was when the plan was made, but for nothing. */
  isAsPlanned(plan: Plan): Promise<boolean>
  /** Makes the folder the new version. After a kill it can be done again, from any state between. */
  forth(plan: Plan): Promise<void>
  /** Makes it the version of before, likewise. */
  back(plan: Plan): Promise<void>
  /** What the two versions are called, for a person. */
  words(plan: Plan): { readonly before: string; readonly after: string }
}

/** What changes from what to what; it is written down, so that another process can go on with it. */
export interface Plan {
  readonly [key: string]: string
}

export interface Look {
  readonly plan: Plan
  /** The branch that it comes from, for a person, and its commit. */
  readonly from: string
  readonly target: string
  /** Each change in a line, the newest first, and how many more there are. */
  readonly changes: readonly string[]
  readonly moreChanges: number
  /** What of the founder's own is not committed, and stays so. */
  readonly edits: readonly string[]
  /** Each step of the stored data that is new, in a line. */
  readonly steps: { readonly sqlite: readonly string[]; readonly firestore: readonly string[] }
  /** Whether other packages are needed. */
  readonly newPackages: boolean
}
