import { isDigit } from '../../characters.ts';
import { hashSeed, hashStep, hashWord } from '../lexicon.ts';

/**
 * Tokens of a text read as SQL, in columns of equal length: keywords by name, everything else by kind. Quotation marks
 * are tokens and their content is tokenised too, so the tokens fit text that is SQL, breaks out of a string, or only
 * mentions SQL.
 */
export type SqlTokens = {
  readonly count: number;
  /** A `tokenKind`, or the number of a keyword (from `firstKeyword`). */
  readonly kind: Int16Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Hash of the lower-case text of words and numbers, to detect equal values. */
  readonly value: Int32Array;
};

/** Kinds below 128 are the ASCII code of a sign. */
export const tokenKind = {
  /** A word that is not a keyword. */
  word: 128,
  /** Two or more such words. */
  words: 129,
  number: 130,
  /** `@x`, `@@x`, `:x`. */
  variable: 131,
  /** A closed comment. */
  comment: 132,
  /** An unclosed comment: `--`, or `/*` without an end. */
  commentStart: 133,
  /** Letters of a script without SQL keywords. */
  foreign: 134,
  /** Two-character operators that no sign or keyword identifies. */
  notEqual: 135,
  lessEqual: 136,
  orSigns: 137,
  andSigns: 138,
  assign: 139,
  shift: 140,
} as const;

const firstKeyword = 160;

const keywordList =
  'select insert update delete drop alter create truncate union all distinct from where and or xor not having group order by limit offset ' +
  'into values set table database schema view index procedure function trigger user users exec execute declare cast convert char chr nchar varchar nvarchar int ' +
  'as on join inner left right outer full cross natural using case when then else end if ifnull nullif isnull coalesce null true false is in between like rlike regexp ilike glob similar sounds escape exists any some ' +
  'asc desc top rownum dual sleep benchmark pg_sleep waitfor delay time receive_message dbms_pipe dbms_lock dbms_ldap dbms_xmlgen dbms_utility randomblob generate_series ' +
  'ascii ord hex unhex substr substring mid concat concat_ws group_concat string_agg length len lower upper trim replace reverse md5 sha1 password version database_version user_name system_user session_user current_user current_setting db_name host_name ' +
  'load_file outfile dumpfile infile load data xp_cmdshell xp_dirtree xp_regread sp_password sp_executesql sp_addlogin sp_addsrvrolemember openrowset opendatasource openquery utl_http utl_inaddr utl_file httpuritype ' +
  'extractvalue updatexml xmltype exp floor rand count sum max min avg row procedure_analyse analyse make_set elt geometrycollection polygon multipoint multipolygon linestring name_const gtid_subset ' +
  'information_schema table_name column_name table_schema tables columns schemata sysobjects syscolumns sysusers sysdatabases systables pg_catalog pg_tables pg_shadow pg_user pg_database sqlite_master sqlite_version mysql master msdb all_tables all_users all_tab_columns user_tables user_tab_columns dba_users sysibm sysdummy1 ctxsys drithsx msysaccessobjects syscat sys ' +
  'grant revoke commit rollback begin shutdown kill handler merge call do with recursive div mod binary collate interval rename add column constraint primary key foreign references default go goto label print raiserror backup restore autonomous explain describe show use over partition returning ' +
  'admin pi sin cos log id conv bin compress uncompress aes_decrypt aes_encrypt current_date current_timestamp now sysdate utc_date getdate unknown none server serverproperty is_srvrolemember to_char to_number decode bitand ' +
  '$where $ne $gt $gte $lt $lte $nin $in $regex $or $and $not $exists $eq $expr $comment this return node child descendant ancestor position contains objectclass uid cn';

const keywordNames = [...new Set(keywordList.split(' '))];
const keywords = new Map<number, number>(keywordNames.map((name, i) => [hashWord(name), firstKeyword + i]));

/** The kind number of a keyword; throws on an unknown name (a mistake in our own tables). */
export function keyword(name: string): number {
  const at = keywordNames.indexOf(name);
  if (at < 0) throw new Error(`"${name}" is not a SQL keyword here.`);
  return firstKeyword + at;
}

/** Words that follow an apostrophe in attacks, but hardly ever in names or contractions. */
const afterQuote = new Set(
  'or and union having like between is in order group limit select xor not rlike regexp div mod where into procedure waitfor exec execute drop insert delete update'
    .split(' ')
    .map(hashWord),
);

/** Keywords that attacks nest inside themselves ("selselectect"). */
const doubledNames = ['or', 'and', 'from', 'union', 'where', 'sleep', 'select', 'insert', 'update', 'delete', 'having'];

/** Longest comment that may split a keyword. */
const splitMax = 40;

const isWordStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 0x5f;
const isSpace = (code: number): boolean => code <= 0x20 || code === 0xa0 || code === 0x3000;

/** Tokenises a text as SQL; one pass, linear. */
export function sqlTokens(text: string): SqlTokens {
  return new Tokeniser(text).run();
}

class Tokeniser {
  private readonly text: string;
  private readonly kind: Int16Array;
  private readonly start: Int32Array;
  private readonly end: Int32Array;
  private readonly value: Int32Array;
  private count = 0;
  private at = 0;
  /** After `/*!`: the end mark of that comment is ignored. */
  private inVersioned = 0;
  private unclosed = false;

  constructor(text: string) {
    this.text = text;
    this.kind = new Int16Array(text.length + 1);
    this.start = new Int32Array(text.length + 1);
    this.end = new Int32Array(text.length + 1);
    this.value = new Int32Array(text.length + 1);
  }

  run(): SqlTokens {
    const { text } = this;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (isSpace(code)) this.at++;
      else if (isWordStart(code)) this.word();
      else if (isDigit(code) || (code === 0x2e && isDigit(text.charCodeAt(this.at + 1)))) this.number();
      else if (code > 0x7f) this.foreign();
      else this.sign(code);
    }
    const { kind, start, end, value, count } = this;
    return { count, kind, start, end, value };
  }

  private push(kind: number, start: number, value = 0): void {
    this.kind[this.count] = kind;
    this.start[this.count] = start;
    this.end[this.count] = this.at;
    this.value[this.count] = value;
    this.count++;
    if (this.repeats(1)) this.fold(1);
    else if (this.repeats(2)) this.fold(2);
    else if (this.repeats(4)) this.fold(4);
  }

  /**
   * True if the last tokens repeat one sequence of `length` three times. A sequence with an odd number of quotation
   * marks does not count, because their parity matters.
   */
  private repeats(length: number): boolean {
    const { kind, count } = this;
    if (count < length * 3) return false;
    let marks = 0;
    for (let i = count - length; i < count; i++) {
      const here = kind[i] ?? 0;
      if (here !== kind[i - length] || here !== kind[i - length * 2]) return false;
      if (here === 0x27 || here === 0x22 || here === 0x28 || here === 0x29 || here === 0x3b) marks++;
    }
    return marks % 2 === 0;
  }

  /** Replaces the previous sequence by the last: lists ("1,2,3,4", "'a', 'b', 'c'") mean the same at any length. */
  private fold(length: number): void {
    const from = this.count - length;
    this.kind.copyWithin(from - length, from, this.count);
    this.value.copyWithin(from - length, from, this.count);
    this.end.copyWithin(from - length, from, this.count);
    this.count = from;
  }

  private last(): number {
    return this.count === 0 ? 0 : (this.kind[this.count - 1] ?? 0);
  }

  private word(): void {
    const { text } = this;
    const start = this.at;
    let hash = hashSeed;
    for (; this.at < text.length; this.at++) {
      let code = text.charCodeAt(this.at);
      if (code === 0x27 && this.isApostrophe(start)) continue;
      if (!isWordStart(code) && !isDigit(code) && code !== 0x24) {
        // Foreign letters belong to the surrounding word.
        if (code < 0xc0 || code > 0x24f) break;
      }
      if (code >= 65 && code <= 90) code += 32;
      hash = hashStep(hash, code);
    }
    const known = keywords.get(hash) ?? this.splitKeyword(start, hash) ?? this.doubledKeyword(start);
    if (known !== undefined) {
      this.push(known, start, hash);
      return;
    }
    const last = this.last();
    if (last === tokenKind.word || last === tokenKind.words) {
      this.kind[this.count - 1] = tokenKind.words;
      this.end[this.count - 1] = this.at;
      this.value[this.count - 1] = hash;
      return;
    }
    this.push(tokenKind.word, start, hash);
  }

  /** A keyword split by a comment or control character ("un/**\/ion"): filters miss it, some databases accept it. */
  private splitKeyword(start: number, hash: number): number | undefined {
    const { text } = this;
    if (this.at - start > 10) return undefined;
    let at = this.at;
    let joined = hash;
    for (let parts = 0; parts < 4; parts++) {
      const next = text.charCodeAt(at);
      if (next === 0x2f && text.charCodeAt(at + 1) === 0x2a) {
        const close = text.slice(at + 2, at + 2 + splitMax).indexOf('*/');
        if (close < 0) return undefined;
        at += close + 4;
      } else if (next < 0x20 && next !== 0x0a && next !== 0x0d && next !== 0x09) at++;
      else return undefined;
      const from = at;
      for (; at - from < 12 && isWordStart(text.charCodeAt(at)); at++) {
        const code = text.charCodeAt(at);
        joined = hashStep(joined, code >= 65 && code <= 90 ? code + 32 : code);
      }
      if (at === from) return undefined;
      const known = keywords.get(joined);
      if (known !== undefined && !isWordStart(text.charCodeAt(at))) {
        this.at = at;
        return known;
      }
    }
    return undefined;
  }

  /** A keyword nested inside itself ("selselectect"), which survives a filter that removes keywords once. */
  private doubledKeyword(start: number): number | undefined {
    const length = this.at - start;
    if (length < 4 || length > 12 || length % 2 !== 0) return undefined;
    const word = this.text.slice(start, this.at).toLowerCase();
    for (const name of doubledNames) {
      if (name.length * 2 !== length || !word.includes(name)) continue;
      if (word.replace(name, '') === name) return keywords.get(hashWord(name));
    }
    return undefined;
  }

  /** True if the quotation mark at `at`, inside a word, is an apostrophe ("don't", "O'Neil"). */
  private isApostrophe(start: number): boolean {
    const { text, at } = this;
    if (at === start || !isWordStart(text.charCodeAt(at + 1)) || !isWordStart(text.charCodeAt(at - 1))) return false;
    let hash = hashSeed;
    let i = at + 1;
    for (; i < text.length && i - at < 12; i++) {
      let code = text.charCodeAt(i);
      if (!isWordStart(code)) break;
      if (code >= 65 && code <= 90) code += 32;
      hash = hashStep(hash, code);
    }
    return !afterQuote.has(hash) && text.charCodeAt(i) !== 0x27;
  }

  private number(): void {
    const { text } = this;
    const start = this.at;
    let hash = hashSeed;
    for (; this.at < text.length; this.at++) {
      let code = text.charCodeAt(this.at);
      if (code >= 65 && code <= 90) code += 32;
      if (!isDigit(code) && code !== 0x2e && !(code >= 97 && code <= 102) && !(code === 0x78 && this.at === start + 1))
        break;
      hash = hashStep(hash, code);
    }
    // "1or", "0union": letters that are also hex digits belong to the next word.
    while (this.at > start + 1 && isWordStart(text.charCodeAt(this.at - 1)) && text.charCodeAt(start + 1) !== 0x78)
      this.at--;
    this.push(tokenKind.number, start, hash);
  }

  private foreign(): void {
    const { text } = this;
    const start = this.at;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (code < 0x80 || isSpace(code)) break;
      this.at++;
    }
    if (this.last() === tokenKind.foreign) this.end[this.count - 1] = this.at;
    else this.push(tokenKind.foreign, start);
  }

  private sign(code: number): void {
    const { text } = this;
    const start = this.at;
    const next = text.charCodeAt(start + 1);
    if (code === 0x2f && next === 0x2a) {
      this.comment();
      return;
    }
    if (code === 0x2a && next === 0x2f && this.inVersioned > 0) {
      this.inVersioned--;
      this.at += 2;
      return;
    }
    if (code === 0x2d && next === 0x2d) {
      while (text.charCodeAt(this.at) === 0x2d) this.at++;
      this.push(tokenKind.commentStart, start);
      return;
    }
    if (code === 0x40 || (code === 0x3a && isWordStart(next) && !isWordStart(text.charCodeAt(start - 1)))) {
      this.at++;
      while (text.charCodeAt(this.at) === 0x40) this.at++;
      if (!isWordStart(text.charCodeAt(this.at))) {
        this.push(code, start);
        return;
      }
      while (isWordStart(text.charCodeAt(this.at)) || isDigit(text.charCodeAt(this.at))) this.at++;
      this.push(tokenKind.variable, start);
      return;
    }
    if (code === 0x24 && isWordStart(next)) {
      let hash = hashStep(hashSeed, code);
      let end = start + 1;
      for (; end - start < 12 && isWordStart(text.charCodeAt(end)); end++) {
        const letter = text.charCodeAt(end);
        hash = hashStep(hash, letter >= 65 && letter <= 90 ? letter + 32 : letter);
      }
      const operator = keywords.get(hash);
      if (operator !== undefined) {
        this.at = end;
        this.push(operator, start, hash);
        return;
      }
    }
    // "1+union+select": form bodies encode spaces this way.
    if (
      code === 0x2b &&
      isWordStart(next) &&
      (isWordStart(text.charCodeAt(start - 1)) ||
        isDigit(text.charCodeAt(start - 1)) ||
        this.last() === tokenKind.comment)
    ) {
      this.at++;
      return;
    }
    const pair = pairKind(code, next);
    this.at += pair === undefined ? 1 : 2;
    if (pair === tokenKind.lessEqual && text.charCodeAt(this.at) === 0x3e) this.at++;
    if (code === 0x5c && (next === 0x27 || next === 0x22)) return;
    this.push(pair ?? code, start);
  }

  private comment(): void {
    const { text } = this;
    const start = this.at;
    if (text.charCodeAt(start + 2) === 0x21) {
      this.at += 3;
      while (isDigit(text.charCodeAt(this.at))) this.at++;
      this.inVersioned++;
      return;
    }
    const close = this.unclosed ? -1 : text.indexOf('*/', start + 2);
    // No end from here means none further on either; search only once.
    if (close < 0) this.unclosed = true;
    this.at = close < 0 ? start + 2 : close + 2;
    this.push(close < 0 ? tokenKind.commentStart : tokenKind.comment, start);
  }
}

function pairKind(code: number, next: number): number | undefined {
  if (next === 0x3d) {
    if (code === 0x21 || code === 0x5e) return tokenKind.notEqual;
    if (code === 0x3c || code === 0x3e) return tokenKind.lessEqual;
    if (code === 0x3a) return tokenKind.assign;
  }
  if (code === 0x3c && next === 0x3e) return tokenKind.notEqual;
  if (code === 0x7c && next === 0x7c) return tokenKind.orSigns;
  if (code === 0x26 && next === 0x26) return tokenKind.andSigns;
  if ((code === 0x3c && next === 0x3c) || (code === 0x3e && next === 0x3e)) return tokenKind.shift;
  return undefined;
}
