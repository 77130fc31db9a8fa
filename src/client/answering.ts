/** What lets the visitor of the last sign-up answer the page's question, as the server gave it. */
export const answering: { token?: string | undefined } = {}
