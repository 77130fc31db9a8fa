/** Answers to the question that the page asks after a sign-up. */
export interface Answers {
  /**
   * Keeps what somebody on the list answered, instead of an earlier answer. Nothing is kept for
   * anybody else. The call takes as long whatever is kept.
   *
   * @param email as `parseEmail` returns it.
   * @param answer as `readAnswer` gives it; `undefined` keeps nothing.
   * @param signedUpAt of the sign-up that answers, as `add` gave it: nothing is kept where another one
   *   brought them. Left out where the operator answers.
   * @throws StoreUnavailable
   */
  keep(email: string, answer: string | undefined, signedUpAt?: Date): Promise<void>

  /**
   * The same by the address id in a letter: for somebody who has confirmed, or is on the list and was
   * sent an announcement. @throws StoreUnavailable
   */
  keepFromLetter(addressId: string, answer: string): Promise<void>
}
