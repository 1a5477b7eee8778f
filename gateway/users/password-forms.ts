/** The kinds of password hashes allowed in users files, distinguished by their format. */

/** Maximum memory in bytes that a hash in a file may require. */
const scryptMemoryMax = 512 * 1024 * 1024;

/** `$scrypt$ln=15,r=8,p=1$salt$key` (PHC string format): cost, salt, key. */
export const scryptForm =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{8,128})\$([A-Za-z0-9+/]{16,172})$/;
/** `$2y$10$…` */
export const bcryptForm = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;
/** `$apr1$salt$…`: magic, salt. */
export const md5Form = /^(\$apr1\$|\$1\$)([^$:]{0,8})\$[./A-Za-z0-9]{22}$/;
/** `{SHA}…` */
export const shaForm = /^\{SHA\}[A-Za-z0-9+/]{27}=$/;

/** The supported kinds of hashes, for messages. */
export const hashKinds = 'scrypt ($scrypt$), bcrypt ($2a$, $2b$, $2y$), apr1 ($apr1$), md5 ($1$) or {SHA}';

/** True for a hash that `verifyPassword` supports. */
export function isPasswordHash(text: string): boolean {
  const scrypt = scryptForm.exec(text);
  if (scrypt) return memoryOf(Number(scrypt[1]), Number(scrypt[2]), Number(scrypt[3])) <= scryptMemoryMax;
  return bcryptForm.test(text) || md5Form.test(text) || shaForm.test(text);
}

/** Memory that scrypt needs, in bytes (RFC 7914 §2). */
export function memoryOf(ln: number, r: number, p: number): number {
  return 128 * r * (2 ** ln + p + 2);
}
