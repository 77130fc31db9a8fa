/** The source of an installation's code, such as a checkout of git. */
export interface Source {
  /**
   * Fetches the new version and plans the result, with the founder's own words. The running version
   * is not changed.
   *
   * @returns `undefined` if nothing is new. @throws Refused if it cannot be done now.
   */
  look(): Promise<Look | undefined>
  /** Writes the whole new version into an empty folder. */
  stage(plan: Plan, folder: string): Promise<void>
  /** Whether the folder is still exactly as it was when the plan was made. */
  isAsPlanned(plan: Plan): Promise<boolean>
  /**
   * Makes the folder the new version. After a kill it can be done again, from any state in between.
   */
  forth(plan: Plan): Promise<void>
  /** Makes it the old version again, likewise. */
  back(plan: Plan): Promise<void>
  /** The names of the two versions, for a person. */
  words(plan: Plan): { readonly before: string; readonly after: string }
}

/** The plan of an update; it is stored, so that another process can go on with it. */
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
  /** The founder's uncommitted files, which stay uncommitted. */
  readonly edits: readonly string[]
  /** Each step of the stored data that is new, in a line. */
  readonly steps: { readonly sqlite: readonly string[]; readonly firestore: readonly string[] }
  /** Whether other packages are needed. */
  readonly newPackages: boolean
}
