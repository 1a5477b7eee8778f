/** The states and territories of the United States, Canada and Australia, as they stand before the word for a document. */

const abbreviations =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|AB|BC|MB|N[BSL]|ON|PE|QC|SK|NSW|VIC|Vic|QLD|Qld|SA|TAS|Tas|ACT|NT';
const names =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Nova Scotia|Ontario|Quebec|Québec|Saskatchewan|New South Wales|Victoria|Queensland|South Australia|Western Australia|Tasmania';

/** At the end of what stands before a label: `my Colorado |license`, `NSW |licence`. */
export const stateBefore = new RegExp(`(?<![A-Za-z])(?:${names}|${abbreviations})(?: state)?['’]?s?,? $`);

/** Directly behind a value: ` CA`, ` (Ohio)`, `, GA`, ` / TX`. */
export const stateBehind = new RegExp(
  `^(?:["',;|/ ]{1,3}|["', ]{1,4}[A-Za-z]{0,8}[_ ]?[Ss]tate["']?[:=] ?["']?| ?[(（]| (?:issued (?:in|by)|out of|from) (?:the )?(?:state of )?|[,;\n]? ?(?:(?:[Ii]ssuing )?[Ss]tate|STATE|[Ii]ssued|ST)[:= ]{1,2})(?:${names}|${abbreviations})(?![A-Za-z])`,
);

/** A state's name or abbreviation between a label and a value: `license plate (Texas): `. */
export const stateWithin = new RegExp(`(?<![A-Za-z])(?:${names}|${abbreviations})(?![A-Za-z])`);
