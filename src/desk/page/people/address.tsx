/**
 * An address by itself, so that letters of another direction turn nothing around it, nor its parts.
 *
 * @param part is marked where it is found.
 */
export function Address({ email, part = '' }: { readonly email: string; readonly part?: string }) {
  const at = part === '' ? -1 : email.indexOf(part)
  if (at < 0)
    return (
      <bdi className="address" dir="ltr">
        {email}
      </bdi>
    )
  return (
    <bdi className="address" dir="ltr">
      {email.slice(0, at)}
      <mark>{part}</mark>
      {email.slice(at + part.length)}
    </bdi>
  )
}
