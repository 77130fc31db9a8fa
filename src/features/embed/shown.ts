/** What the page of the desk shows. */
export interface EmbedShown {
  /** Of each language, as BCP 47 has it; none where there is no build, or no public address. */
  readonly forms: readonly {
    readonly code: string
    readonly form: string
    readonly script: string
  }[]
  /** What a content security policy has to allow there. */
  readonly policy: { readonly form: string; readonly script: string } | null
  /** The sites that may post. */
  readonly origins: readonly string[]
}
