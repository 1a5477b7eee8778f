/** Texts of the soak clients, with fictional personal data; seeded. */
import type { Random } from '../../eval/random.ts';

/** A whole number in [0, below). */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Occurs only in personal data, so an origin that sees it has received a leak. */
export const mailDomain = 'people.example';

/** A small number of distinct values, so that sessions stop growing. */
const peopleMax = 40;

const sentences = [
  'The quarterly report should mention the new plan and its effect on the team.',
  'Please summarise the discussion in three short points and keep the numbers as they are.',
  'Wir treffen uns am Montag im großen Saal, bitte bringen Sie die Unterlagen mit.',
  '会議の議事録を短くまとめてください。数字はそのままにしてください。',
  'Le compte rendu de la réunion sera envoyé demain matin à toute l’équipe 👍.',
  'A "quoted" word, a back\\slash and a\nline break have to come back as they were.',
];

/** A unique text of about `length` characters with `people` fictional persons. */
export function textOf(random: Random, length: number, people: number): string {
  const parts: string[] = [`Note ${Math.floor(random() * 1e9).toString(36)}.`];
  let size = 0;
  while (size < length) {
    const sentence = sentences[below(random, sentences.length)] as string;
    parts.push(sentence);
    size += sentence.length;
  }
  for (let i = 0; i < people; i++) {
    const who = below(random, peopleMax);
    const value =
      i % 2 === 0
        ? `Write to person.${who}@${mailDomain} about it.`
        : `The card is ${cardOf(who)}, call +1 415 555 0${String(100 + who).padStart(3, '0')}.`;
    parts.splice(below(random, parts.length + 1), 0, value);
  }
  return parts.join(' ');
}

/** A card number of the published test range that passes the Luhn check (ISO/IEC 7812-1). */
function cardOf(who: number): string {
  const digits = `400000000000${String(who).padStart(3, '0')}`;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const digit = Number(digits[i]) * (i % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`.replace(/(.{4})(?=.)/g, '$1 ');
}
