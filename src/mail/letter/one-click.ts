/** RFC 8058: the unsubscribe button of the mail program posts to this link. */
export function oneClick(link: string): Readonly<Record<string, string>> {
  return {
    'List-Unsubscribe': `<${link}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
