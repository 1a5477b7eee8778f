/**
 * Texts for recognizers that weigh what stands around a value: each row holds one thing that may be said in many ways,
 * `{a|b}` standing for each of them (`\\|` for the sign itself). The golden files name a text by the alternative that is
 * another than in the text that all first ones make; `²` and `³` are before those that vary all second or third ones.
 */

/** Characters without sense, put together here, so that nothing in this file looks like a key. */
const body = 'q8Zr2Lw9Xc4Vb7Nm' + '1Kj5Hg3F';
const long = body + body + body;
const hex = 'd670460b4b4aece5' + '915caf5c68d12f56';
const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;

/** By recognizer. */
export const texts: Readonly<Record<string, readonly string[]>> = {
  name: [
    // What is said of people.
    'I {spoke|speak|spoken|speaking|talk|talks|talked|talking|chat|chats|chatted|met|meet|meeting|call|calls|called|contact|contacted|ask|asks|asked|tell|told|email|e-mailed|emailing|ping|pinged|remind|reminded|thank|thanked|invite|invited|hire|hired|report|reports|assign|assigned|refer|referred|introduce|introduced|interview|interviewed|represented|accompanied|married|named|known as|identified as|aka|nee|1:1|behalf|congratulate|congratulations|thanks|grateful|certify that|stay|stayed|note to|letter to|message to|under|waiting|care of|lunch|dinner|coffee|loop in|looped in|cc|this is|I am|eat|paint} {|to |with |by |for |over to |under }{Hunter Hill|Hazel Marsh|Autumn Brooks} there',
    'we {wish|employ|sue|agreed|discussed|deal|v|vs|versus|and|or|with|by|for|from|to|that|is|between|beyond} {|with |by }{Hunter Hill|Hazel Marsh|Mason Park} once',
    'so {Hunter Hill|Hazel Marsh|Mason Park}{, MD|, M.D.|, Esq| Esq|, PhD|, Ph.D|, KC|, QC|, RN|, CPA|, MP|, DDS|, JP| Jr| Sr| II| III| IV|, OBE|, MBE|, CBE|, FRCS|, MRCP|, LLB|, MBA|, PE|, JD|, CFA|, MDx|, Xx}{| came}',
    'so {Hunter Hill|Hazel Marsh}{, 34,|, aged 34,| (34)| 34 years| 340| <jo@a.example>| <jo>| (chair)| (he)| (she/her)| (they)| (b. 1990)| (born 1990)| (aged 4)| (dob 1)| (ext 12)| (x12)| (mother)| (son)| (guardian)| (minutes)| (notes)| (remote)| (via Zoom)| (year 4)| (tier 2)| (HR)| (finance)| (jo@a.example)| (blue)}',
    'so {Hunter Hill|Hazel Marsh} {and his|and her|and their|and my|and I|and a|on behalf|said|says|asked|told|wrote|writes|replied|confirmed|called|joined|joins|emailed|mentioned|suggested|agreed|explained|resigned|signed|complained|requested|reported|thinks|wants|lives|lived|works|worked|left|starts|started|moved|noted|added|raised|presented|apologised|apologized|died|was born|was blue|will be|will contact|will call|will send|will join|will lead|will take|will attend|will follow|will draft|will check|will review|will share|will rain|is on|is the|is our|is a|is in|is out|is away|is based|is leaving|is moving|is not|is available|is responsible|is asking|is blue|has asked|has been|has confirmed|has joined|has left|has sent|has never|has blue|who|whom|would like|never received|needs|has a|seconded|moved|abstained|in HR|from IT|at Finance|in Legal|from Payroll|at reception|in blue|wrote:|-- x|– x|— x|shines}{| it}',
    "so {Hunter Hill|Hazel Marsh}{'s|’s} {number|mobile|cell|phone|birthday|email|address|manager|account|laptop|mother|wife|partner|son|file|record|passport|salary|contract|appointment|team|desk|password|claim|case|estate|request|insurance|policy|leave|colour}",
    'so {Hunter Hill|Hazel Marsh}{,|} {residing|of 12|born|resident|holder of|dob|employee|ssn|tel|mobile|phone|email|ext|blue} x',
    'so {Hunter Hill|Hazel Marsh} {\\||·|•} {Senior|Lead|Head|Chief|Account|Sales|Director|Manager|Partner|Engineer|Analyst|Blue} x',
    // Labels and roles.
    '{account manager|adjuster|adviser|agent|applicant|approved by|assigned to|attendee|attorney|attn|author|beneficiary|bill to|borrower|brother|buyer|caller|candidate|cc|chair|child|claimant|client|clinician|clerk|consultant|contact|customer|daughter|dear|defendant|director|doctor|driver|emergency contact|employee|engineer|father|from|guarantor|guardian|guest|husband|insured|issued to|judge|landlord|lawyer|lead|lessee|manager|member|mother|next of kin|nominee|nurse|officer|on call|operator|owner|parent|passenger|patient|payee|pilot|plaintiff|prepared by|present|primary|principal|pupil|re|recipient|reference|referred by|reporter|representative|requested by|reviewer|secretary|seller|sender|ship to|sign|signed|sister|solicitor|son|speaker|spouse|staff|student|surgeon|teacher|tenant|to|trainee|user|victim|wife|witness|writer|colour|weather}{: | = | -> | \t|  |_name: |s: |’s name: | 2: | (new): |: "|** :**|\n| - | }{Hunter Hill|Mason Park}',
    '{adjuster|her solicitor,|his colleague|our neighbour|a friend|the boss|their accountant|captain|chef|founder|editor|professor|coach|the tree|tenant|cc|dear} {Hunter Hill|Hazel Marsh} x',
    "{my name is|my name's|name is|full name|name of|dear|attn|attention|hello|hi|hey|regards|sincerely|faithfully|truly|cheers|yours|thanks|best|wishes|signed|customer|patient|tenant|witness|manager|colour}{, |: | |\n|; }{Hunter Hill|Hazel Marsh|Mason Park}",
    '<{name|td|th|b|span|customerName|lineManager|employee|li|colour}>{Hunter Hill|Hazel Marsh|Mason Park}</x>',
    '<{td|dt|b}>{Tenant|Colour}</td><td>{Hunter Hill|Hazel Marsh}</td>',
    '担当者：{Hunter Hill|Hazel Marsh|Mason Park}',
    // Lists and tables.
    'Emily Harrington{, |; | / | and | & | or | y | et | und | with | vs | v. |, and | and by |\n- |,\n1. |\n* |\n|. | then }{Hunter Hill|Mason Park} x',
    '{Full name|Legal name|Employee|Patient|Student|Member|Attendee|Participant|Guest|Passenger|Tenant|Staff|Person|Applicant|Candidate|Manager|Supervisor|Teacher|Doctor|Nurse|Rep|Agent|Assignee|Assigned to|Reporter|Requester|Author|Reviewer|Approver|Cardholder|Beneficiary|Spouse|Next of kin|Emergency contact|Driver|Speaker|Consultant|Case worker|Customer|Client|Contact|Owner|Holder|Account holder|Lead|Recipient|Payee|Sender|Buyer|Seller|Who|By|User|From|To|File name|Product name|Project lead|Company name|Team member|Colour},Town\n{Hunter Hill|Mason Park|K. Hill},Leeds',
    '| id | {Name|Owner|Colour} |\n|---|---|\n| 1 | {Hunter Hill|Mason Park|J. Brooks|Hunter Hill (x)} |',
    // Forms of names.
    '{Contact|Attn|Colour}: {K. Subramaniam|J. R. Brooks|K Subramaniam|J. Street|K. Subramaniam Pillai|R. Kim}',
    'met {Jo van der Berg|Ana de la Cruz|John X. Hodson|John X Hodson|Mary-Jane Watson|Sean O’Brien|Jean-Luc Moreau|LIAM Hodson|HODSON Liam|WALTER HODSON|Walter HODSON|Hodson, Walter|Tan Wei Ling|Nguyen Van Minh|Kim Minjun|Lee Soo Jin|Maria da Silva Santos|Ali bin Hassan|Karl von Stein|Amy Swift|Paul Smith|Ted Baker|Jack Black|Amy Church|Ken Street|Emma Stone|Rose Gold|Grace Note|Mark Down|Will Power|Bill Gates} there',
    '{Mr|Mr.|Mrs|Ms|Miss|Mx|Dr|Dr.|Prof|Sir|Dame|Lord|Lady|Rev|Fr|Capt|Herr|Frau|Madame|Señor|Judge|Sister|Blue} {Hunter Hill|Mason Park|Xx Yy|Brooks|Long Way}',
    'met Xanthe {Petrovic|Petrović|Johansson|Jónsdóttir|Ivanova|Shevchenko|Kowalski|Novak|Adamczyk|Popescu|Papadopoulos|Georgiadis|Petrosyan|Shvili|Korhonen|Jensen|Lindquist|Bergström|Goldberg|Epstein|Hoffmann|Yıldızoğlu|Hernandez|Rossini|Moretti|Bertucci|Ferreira|Malikov|Blorp} there',
    '{name|Name|full name|user_name|file name|names}{ is |: |" : "| = |\t|\\|}{lena andersson|lena k. andersson|lena the|blue sky|lena|Pemberton, Isla|Portland, Oregon|Isla, Pemberton|PEMBERTON, Isla Jane}{|.|@x|-x}',
    '{7,|x\t|\\||}"{Featherstone, Kieran|Kieran, Featherstone|Austin, Texas|Save, Cancel|Brooks, Autumn|O’Brien, Sean|Featherstone, Kieran J.|Featherstone, K}"{,x|\t|\\||x}',
    '{Hunter Hill|Emily Harrington|Hazel Marsh}{(|/|\\\\|[|<T>|</b>|<br>|< b|.x| Road| Street| Engineer| Manager| Ltd| GmbH| Foundation| The| And}',
    '{Operation|The|Our|Saint|St|Port|Mount|New|Old|Team|Project} {Emily Harrington|Hunter Hill}',
    'BETWEEN {EMILY HARRINGTON|WALTER HODSON|SIGN IN|HUNTER HILL} {AND|v|OF|THE} {PRIYA PATEL|NEW YORK|x}',
  ],
  'name-ja': [
    '{氏名|名前|お名前|姓名|担当者|担当|申込者|契約者名|患者|顧客名|受取人|差出人|名義人|宛名|保護者|責任者|世帯主|記入者|主治医|当番|講師|司会|住所|商品}{：|:|＝| : |は|、|\t|」「|の|（仮）：|\n|}{高橋 美咲|山田太郎|架空 太郎|ヤマダ タロウ|やまだ たろう|関豊|林 森|森 一|美空 よ子}',
    '{昨日|先週|営業部|部長|監督|社長|主将|作家|弁護士|容疑者|東京|本日、|私|第3|A}{高橋 健一|高橋健一|林健太|森一郎|関豊|城島茂|宮内あすか|土屋ゆい|東京太郎|日本花子}{が|様|さん|氏|殿|先生|君|くん|ちゃん|選手|監督|部長|です|駅|さま|氏名|君主||外務大臣|大臣|議員|社長|町}',
    '{高橋|林|小鳥遊|勅使河原|東海林|綾小路|佐々木|一ノ瀬|五十嵐|長谷川|ZZ|山|田中田}{ |　||  }{健一|健|太郎|美よ子|かお里|さくら|サクラ|まこと|なお|はる子|慎太郎左|翔太朗|衛門太郎|温泉|鉄道|水道|元年|次|子}{さん|様|と|に|。|館|}',
    '{ヤマダ|ヤ|タカハシ|コンピュータ|やまだ|すると|ささき}{ |　}{タロウ|タ|ハナコ|ケン|たろう|はなこ|まこと|システム}{|さん|様|は|です|ー|ん}',
    '{監督はマイケル|歌手のマイケル|フォン|マイケル|ルートヴィヒ|トム|ジョン|スーパー|ユーザー}{・}{アンダーソン|ファン・ベートーヴェン|スミス|インターフェース|オブ・ジョイ|グループ|システム|C・クラーク|ザ・グレート|レオ|ン|センター|テスト|データ|ストリート|ジャパン}{|さん|氏|社|社長|大学|賞|監督|・|ー|山|定理|の|空港|法皇|通り}',
    '{担当|}{美よ子|高橋 美よ子|高橋 かお里|高橋 千か代|小鳥遊 美よ子|城 乃愛|宮内あすか|東京あすか|大渕浩輔|大渕敏行|日向慎也|名古屋太一|広島幸子}{様|さん||が|と}',
    '{マネージャー|リーダー|ヘルパー|ドクター|オーナー|コーチ|スタッフ|チーフ|エンジニア|デザイナー|ゲスト|ママ|パパ|テーブル|カメラ}{の|}{高橋健一|宮内あすか}',
    '{宮内|土屋|東京|架空|田}{あすか|ゆい|あい|さくら|まこと|する|から|みなみ|まさか|ケン|りん}{|さん|です|は|が|のように|ました|様}',
    '{高橋|河野|鈴木}{健一|太郎|一郎}{外務大臣|前議員|副委員長|県知事|市長|会長|研究員|名誉教授|監督|選手|長官|総裁|代表|少年|外相|党首|九段|名義|死後|役|戦|大通り|銀行|県庁所在地の知事}',
  ],
  'api-key': [
    `{api_key|apiKey|API-KEY|access token|auth_token|client_secret|private key|app_secret|account_key|signing_key|encryption_key|bearer_token|refresh_token|session_secret|service_key|storage_key|master_key|license_key|consumer_secret|webhook_secret|deploy_token|admin_key|shared_secret|bot_token|user_token|subscription-key|function_key|host_key|publishable_key|registry_token|personal_token|oauth_token|security_token|id_token|jwt_secret|ingest_key|insert_key|write_key|read_key|query_key|sas_token|token|secret|apikey|password|signature_key|my_key|myKey|x-key|authorization|access id|auth|bearer|basic|colour|monkey|keyboard}{ = "|: "|=|: |" : "|('|: Bearer |=>'|:=} ${body}"`.replace(
      '} q',
      '}q',
    ),
    `{gpg|pgp|public|pub|primary|foreign|cache|sort|partition|hash|idempotency|object|map|dict|lookup|translation|i18n|hot|row|unique|index|redis|s3|bucket|list|item|query|search|group|route|range|registry|schema|turn|don|tracking|blue}{_key|_api_key| key|Key} = "${body}"`,
    `{next|page|continuation|pagination|csrf|sync|cursor|max|total|device|push|public|blue}{_token|Tokens} = "${body}"`,
    `{key_id|key name|keyAlias|key_type|keyhash|key_fingerprint|token_id|token_name|secret_path|token_url|secretName|checksum|integrity|digest|sha256|commit|etag|author|api_key_id|api_token_v2|secret_key_base64|api-key-prod} = "${body}"`,
    `{adafruit|airtable|algolia|asana|atlassian|jira|auth0|bitbucket|cloudflare|codecov|cohere|co_api|coinbase|confluent|contentful|datadog|dd_api|deepl|digitalocean|discord|dropbox|elevenlabs|etsy|facebook|fastly|finnhub|flickr|gitter|grafana|heroku|hubspot|infracost|intercom|artifactory|kraken|launchdarkly|linear|linkedin|lob|mailchimp|mailgun|mapbox|mattermost|messagebird|mistral|netlify|newrelic|notion|nytimes|okta|openai|pinecone|plaid|pusher|rapidapi|sendgrid|sentry|shopify|snyk|sourcegraph|spotify|square|squarespace|stripe|sumologic|telegram|travis|trello|twilio|twitch|twitter|typeform|vercel|yandex|zendesk|blueberry}{_key|_id|Api| api key|_cache_key}{ = "|: }{${uuid}|${hex}|${body.slice(0, 14)}}"`,
    `{asana|discord} client_id{ = |: "|", "}{1234567890123456|12345678901234567|123456789012345678|1234567890123456789|829163847561029384}`,
    `api_key = {"${body}"|${body}.x|${body}(x)|${body}[0]|${body}://x|${body}@host|${body}-|${body}==|x${body}|ひ${body}|${body}で|${body.slice(0, 15)}|${body.slice(0, 16)}|${body.slice(0, 19)}|${body.slice(0, 20)}|${body.slice(0, 11)}|${body.slice(0, 12)}|${hex}|${hex.slice(0, 24)}|${hex.slice(0, 23)}|sha256-${body}|md5:${body}|self._lib.name2and3|some/path/to9/file8x|my-long-words-1234|createToken12and3Things|2026-11-02T10:11:12Z-ab|1.2.3.4.5.6.7.8.9.10|a1a1a1a1a1a1a1a1a1a1|${uuid}|abcdefghijklmnop|ABCDEF12345678901234}`,
    `{secret key|secret|token value|credential|key}{ is | was | are }${body}`,
    `{--api-key|-token|--blue|--secret-key|Bearer|Basic|Token|"Bearer|x=Bearer|api key|access-token|client_secret|my secret}{ |  |\n}{"|}${body}`,
    `{"name"|"key"|id|"blue"}{: |=}"{API_KEY|db_token|colour}", "{value|val|default|content|blue}": "${body}"`,
    `{APIキー|トークン|アクセストークン|シークレット|認証情報|秘密鍵|クレデンシャル|パスワード|鍵}{：|は|=|「|の}${body}`,
    `{AWS::KMS::Key: |key.ts: |"api-key.json": |config.token.value=|env.API_KEY ?? |{token:|[token]=|(token):|token |token, |token, "|token\\|}${body}`,
    `{https://api.telegram.org/bot|bot |x}{1234567|12345|1234|12345678901234567}:A{${long.slice(0, 34)}|${long.slice(0, 33)}|${long.slice(0, 35)}|${'a'.repeat(34)}}`,
    `{?sig=|/|+|x.|x~|eyJ.}{sk-proj-|hf_|gh${'p_'}|glpat-|AK${'IA'}|xoxb-|SG.|AGE-SECRET-KEY-1}{${body}|${body.toUpperCase()}|${long}|${'x'.repeat(36)}|${'ab12'.repeat(9)}|requiredCharacteristicOfTheThing|EXAMPLE${body}}`,
    `{.|}{example|your-|your_|placeholder|dummy|changeme|xxxx|00000000|1234567890|abcdefgh|redacted|...|my-api|my_secret|mykey|insert|replace_me|todo|fake-key|test_key|deadbeef|ssh-|blue}${body}`.replace(
      /^/,
      'api_key = "',
    ),
  ],
  address: [
    "{12|12A|221B|12-14|12/3|1234567|0|12.|12.5|12%} {Maple|Station|Old Mill|King's|St. John's|3rd|Rue de la|Via|Calle|Ziegel|maple} {Street|St|St.|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Close|Way|Place|Square|Terrace|Crescent|Boulevard|Blvd|Parkway|Row|Walk|Hill|Park|Green|Approach|Trail|Loop|Highway|Table|street}{|, Reno, NV 89501| N| North|, Apt 4|, Suite 300| Unit 7| #5|, London NW1 6XE|, Leeds|, USA| crash|(x)|\nReno, NV 89501-1234}",
    '{in|at|the|Figure|Section|Windows|Python|page|version|I bought|lives at|He moved to|room|HTTP|Chapter} {5|12|2008|404} {Way|Court|Drive|Wall Street|Maple Street|Home|Road|High Street|Park}{|.| map| crash| handshake| letters| of Appeal|, Leeds}',
    '{at|in|to|moved to|near|Die} {Ziegelgasse|Hauptstraße|Hauptstrasse|Lindenallee|Marktplatz|Kirchweg|Rua Graciliano Ramos|Via Roma|Calle Mayor|Avenida Brasil|Rue du Bac|Ulica Długa|Keizersgracht|Damrak|Storgatan|Vesterbrogade|Karl Johans gate|Mannerheimintie|Andrássy út|Pod Floriánem|Am Ring|Alter Hof|Neuer Markt} {19|19a|19-21|1950|19, 10117 Berlin|19, 75002 Paris|19\n10117 Berlin|12345|19%|19:30|19/2|x}',
    'the {station|restaurant|office|shop|store|hotel|house|tree} is {on|at|in|by} {|the north side of }{Pod Floriánem|Kesä|Version|Page|Room|Line} {1677|16|16775}',
    '{lives|lived|living|resides|reside|located|situated|return|meet you|meet us|walks} {on|at|in|to} {Kesä Pod|Kesä and Pod|kesä|Chapter} {16|1677}',
    '{the corner of|corner of|The corner of|on the corner of|corner} {Auenweg|Kesä Street|Long Old Mill Road|} {85|9|123456}{| Street| Old Mill}{ and Kesä Street| and Kesä 12| and 5 Kesä Way| and old street| and the new road| or Kesä Street|}{.| 4| 4567890}',
    '{zip|zip code|zipcode|ZIP|postal code|postcode|post code|my zip code|area code|code|zip was}{ is |: | |=|": "|\n}{35649|35649-1234|35649-12|3564|356490|35649x|35649/2}',
    '{PSC|CMR|Unit|USS|USCGC|Box} {0272|Shoup|Le-Roy}{, Box 1651|Box 1651| Box 1651|}{\n| |, }{APO|FPO|DPO|XPO}{ |, }{AA|AE|AP|AX} {94530|9453}',
    '{P.O. Box|PO Box|P O Box|Post Office Box|Post Box|box|Box|12 P.O. Box|p.o. box} {12|1234|123456}{, Reno, NV 89501| Reno|.|%|}',
    '{Reno, NV|Reno NV|New Port Town, NV|reno, NV|Reno, nv|Reno, XX|Las Vegas, Nevada|, NV|NV}{, | }{89501|89501-1234|8950|895012}',
    '{Apt|Apartment|Suite|Ste|Unit|apt|Room|> Suite|- Unit}{ |. |. #| #}{300|3|30000}{\n|, |, Trent Park Estate, Nottingham NG2 4LA|, 27 Kangaroo Road, Brisbane QLD 4169|, Box 4}',
    '{Blk|Block|No.|House No.|Door No|Plot No.|Flat 2,|Unit 4,|Shop 3,|Level 2,|Rose Cottage,|The Old Barn,|Mill Farm,|Blue House,|at Rose Cottage,|see Rose Cottage,|Red Blue,} {8 Church Row|214 Ang Mo Kio Avenue 3|8 church row}{, Ludlow SY8 1AP|, Singapore 560214|, Toronto M5V 2T6|, Perth WA 6000|, Perth WA 600|, S(560214)| #08-1142, Singapore 560214|}',
    '{Address|at|see|Total}{: | }{H-204|Flat 3|Plot 12|12/3|Old} {,|Silver Oak Apartments,|Green Table,} {4th Cross|MG Road|Sector 5|Anna Nagar|Phase 2|Blue Sky}, {Bengaluru|New Delhi|Pune,|pune} {560038|110 001|56003|5600381|560038x|- 560038}',
    '12 {Rue|Avenue|Via|Calle|Plaza|Place|Boulevard|Chemin|Rua|Piazza|Blue} {de la Paix|du Bac|Roma|dell’Arte|Mayor|l’Église}{, 75002 Paris|, 00184 Roma RM|, 28013 Madrid|,\n75002 Paris, France| bis|}',
    '{> |* |- |  |x: |}12 Oak Avenue\n{> |* |- |  |x: |}{Germany|Republic of Korea|New Zealand|Blue Table|Trinidad and Tobago|12} {10117|94530|1011|10117x}{\n|.|}',
    '{I live at |ship to |}{12 oak avenue|12 Oak avenue|742 maple st apt 5|po box 12|12 rue de la paix}{, reno nv 89501| reno, nv| springfield il 62704|, leeds|, then go| and more}',
    '{42 King Street|Main Street 5}, {Leeds|Leeds LS1 4AP|Reno NV|Reno, NV 89501, USA|Sydney NSW 2000|Toronto, ON M5V 2T6|Dublin 2|10117 Berlin|Germany|Leeds, LS1 4AP, UK|suite 5, Reno, NV 89501|and 3 eggs|Tokyo, Japan|Reno, Nevada 89501}',
  ],
  'address-jp': [
    '{東京都|大阪府|北海道|神奈川県|愛知県|架空県|}{渋谷区|札幌市中央区|横浜市西区|つくば市|つくば町|市区町村|架空市|}{架空町|架空|架空が丘|字山下|架空通御池上る|です架空|から|}{1-2-3|1-2|12|1丁目2番3号|1丁目2-3|二丁目三番四号|北1条西2丁目3番地4|488番地|488番地の2|5番町|3条|12の3|12号|12号線|2023年|754万人|100円|1-2の勝利|1-2で勝|3-4-5-6|1,234}{| サンプルビル4F|サンプルビル101号室| 架空荘 203| メゾン架空B-12号室|に住む|です}',
    '{〒|〒 |郵便番号|郵便番号：|郵便番号は|郵便番号",|} {150-0001|1500001|150-00012|150−0001|150-001}{| |\n|　|、}{東京都渋谷区架空町1-2-3|東京都渋谷区架空町12|東京都|架空町|大阪府大阪市北区架空二丁目三番四号}'.replace(
      '} {150',
      '}{150',
    ),
    '{住所|所在地|本籍|居所|届け先|送付先|配送先|現住所|連絡先|本社|本店|自宅|感想|勤務地|宛先}{：|は|: |「|\n|（日本）：}{東京都渋谷区架空町12|東京都渋谷区架空町12人|東京都は12|渋谷区架空町12}{|。|号}',
    '{渋谷区|横浜市西区}{で|の|が|は|に|にある|という|の人口|、|時間|令和|第|}{架空町|}{1-2-3|3丁目|2丁目4番|2-1}{|で勝利|の敗北|回|個|階建|票|km|世帯|戦}',
    '東京都渋谷区架空町1-2-3{サンプル|架空 |　}{ビルディング|ビル|マンション|ハイツ|コーポ|アパート|タワー|レジデンス|プラザ|メゾン|ハウス|コート|パレス|テラス|ガーデン|荘|寮|館|ヒルズ|スクエア|センター|シティ|棟|橋}{|301|301号室|3F|3階|B1号|2号棟301|A-301号| 301 室}',
  ],
  password: [
    '{password|Password|passwd|pwd|PWD|pass|passphrase|パスワード|パスフレーズ|仮パス|暗証番号|パスコード|ssh pass|DB_PASS|mysqlPassword|my password|Wi-Fi password|pin}{: |=| = "|: "|\'|: \\"|（仮）：|(new): | := | => \'| -> | → | == |: `|「|『|: **|\n|:\n|: \n  | is | was | for x is | is: |は|が|を|,"|", "|(\'|\\|| \\| |>|</td><td>| - |}{Kx7mQ2p|correct-horse-18|hunter2!|4821|abcd|Abcdefgh|abc|a b c d 1|/usr/local/bin2|true|null|getPass()|req.body.pass|********|<secret>}',
    'password: {"Kx7m Q2p"|"Kx7mQ2p|\'Kx7mQ2p\'|`Kx7mQ2p`|Kx7mQ2p,|Kx7mQ2p.|Kx7mQ2p;|Kx7mQ2p)|(Kx7mQ2p)|Kx7mQ2p(|Kx7mQ2p()|Kx7mQ2p[|a[0].b2|obj?.b2|obj!.b2;|a->b2|a,b2:1|r,b:2|8-64|8 characters|12 digits|2024 年|8文字|12345678|1-2|????!|------|Kx7mQ2p<br>|Kx7mQ2p&amp;x|Kx7mQ2p&next=1|Kx7mQ2p&quot;|Kx7m&Q2p|Kx7mQ2p（注）|Kx7mQ2pです|null;|true,|undefined)|MyPassword1|pwdValue2|word22|https://a.example/x|C:\\\\x\\\\y2|/etc/x2|./x2y|x2y/|$HOME/x2|%TEMP%|{{x2}}|#{x2}|$x2|changeme|example|secret|your-password|xxxx1|none|N/A|redacted|test1234|admin123}',
    '{postgres|https|amqp|redis|mongodb+srv|x}://{app|guest|user|a.b|}:{correct-horse-18|guest|password|abc|p%40ss|p@ss|$PASS|<pw>|[pw]|pass word|***}@{db.internal:5432/main|localhost|x}',
    '{- name: DB_PASSWORD\n  value: |"name":"DB_PASSWORD","value":|<add key="Password" value=|"name": "colour", "value": |-e PGPASSWORD=|sshpass -p |sshpass -p\'|--password |--password=|-p |curl -u jo:|export DB_PASSWORD=|set PASSWORD=|SET PASSWORD FOR x = |IDENTIFIED BY }{Kx7mQ2p|"Kx7mQ2p"|\'Kx7mQ2p\'|Kx7mQ2p/>|abcdefg}',
    '{password|Password|pass|暗証番号|passcode}{,x|\tx| \\| x}\n{Kx7mQ2p|4821|abcd|1204|a b1|x7|Abcd!|true},{1|x}',
    '初期パスワード {Kx7mQ2p|kx7mq2|123456|abcdef|Kx7mQ|Kx7mQ2pを}{| を変更| x}',
  ],
  phone: [
    '{call|reach|text|dial|ring|message|whatsapp|registered mobile|phone|fax|tel|office|home number|my number is|her new number is|number is|電話|FAX|代表}{ | me at | us on | him directly on | the number |: |.|; |{|\n| - }{0477 11 28 98|60-56-85-91|4155550132|415-555-0132|12345|123456|2019-05-12|12/05/2019|1 2 3 4 5 6|0355550123|123456789012345|1234567890123456}',
    '{|x|1|-|+|+1 |1-|(|:#}{415-555-0132|(415) 555-0132|415.555.0132|415 555 0132|200-300-4000|115-555-0132|415-155-0132|4155550132}{| x123| ext. 12| extension 4|ext 4567890|-1|.5|a|/2| office| (home)| fax}',
    '{|a|0|-|TEL|Tel |fax|hotel|3.|+}{03-5555-0123|(03)5555-0123|03(5555)0123|03 5555 0123|090-1234-5678|09012345678|0120-123-456|0800-123-4567|0570-012-345|03-555-0123|0466-22-1234|04992-2-1234|090-123-4567|0355550123|00-1234-5678|020-1234-5678|050-1234-5678|060-1234-5678}{|内線12| 内線 345|-1|a|0|です|.5}',
    '{+44|+81|+1|+49|+33|+61|+86|+210|+28|+424|+83|+89|+999|+0} {20 7946 0958|80-1234-5678|(0)3-5555-0123|3 5555 0123|90 1234 5678|9012345678|30 901820|1.23|4294967296|12 34|(415) 555-0132}{| ext 4|*2|-1|.2|a}',
    '{07700 900123|020 7946 0018|0161 496 0018|01632 960018|0800 496 0018|0491 570 156|0400 000 000|0300 123 4567|07700 9001234|11 07700 900123}{| x12|a|-1}',
    '{1 2 3 |7 }{03 5555 0123|415 555 0132|090 1234 5678}{| 9}',
  ],
  'date-of-birth': [
    '{dob|DOB:|date of birth|born|born on|b.|birthday|birth date|生年月日|生年月日：|誕生日|お誕生日は|生まれ|date|expires|created}{ |: | on | in |\n|は}{1985-04-01|1985/4/1|01.04.1985|4/1/1985|04-01-85|1 April 1985|April 1, 1985|1st Apr 1985|Apr 1985|19850401|1985年4月1日|昭和60年4月1日|S60.4.1|平成元年1月8日|令和5年5月1日|R5/5/1|1985-13-01|1985-02-30|2999-01-01|1885-01-01|31/12/1999|12/31/1999|13/13/1999|H31.4.30|T10.1.1|1985.4.1|1985年4月|4月1日}{|生|生まれ| (39)|, London|T00:00:00Z|x}',
    '{1985年4月1日|1985-04-01|昭和60年4月1日|1 April 1985}{生|生まれ|うまれ| 生| born| birthday|に生まれた|誕生|付|創業|発行| (date of birth)}',
  ],
  'bank-account': [
    '{account number|acct|a/c no|bank account|routing number|sort code|iban|口座番号|普通|当座|普通預金|みずほ銀行 渋谷支店 普通|ゆうちょ銀行 記号|支店番号|account|order number|user account}{ |: |は|（普通）|\n| no. | is }{1234567|12345678|123456|1234|12-34-56|021000021|12345-67890123|1234567890123456789|12345678円|1234567件|20241120|1234567x|0000000|1234 5678 90|１２３４５６７}{| 年| files| USD|名義|、8765432}',
  ],
  'credit-card': [
    '{|card |カード |x|-|0}{4111 1111 1111 1111|4111-1111-1111-1111|4111111111111111|4111 1111 1111 1112|5555 5555 5555 4444|2221 0000 0000 0009|3782 822463 10005|378282246310005|3530 1113 3330 0000|3528 0000 0000 0007|6011 1111 1111 1117|6500 0000 0000 0002|3056 930902 5904|36 1489 0064 7913|6759 6498 2643 8453|6200 0000 0000 0005|9999 9999 9999 9995|0000 0000 0000 0000|4222222222222}{|1|-1|a| 12/27|.00}',
  ],
  'ip-address': [
    '{|v|version |x|-|/|ip |RFC }{192.0.2.1|10.0.0.1|127.0.0.1|255.255.255.255|0.0.0.0|256.1.1.1|1.2.3|1.2.3.4.5|01.2.3.4|192.168.1.1|172.16.0.1|169.254.1.1|8.8.8.8|2001:db8::1|::1|fe80::1%eth0|::ffff:192.0.2.1|2001:db8:0:0:0:0:0:1|2001:db8::1::2|12:34:56|a::b|::|1:2:3:4:5:6:7:8|std::vector}{|/24|/33|/64|/129|:8080|.5|-1|a|,|/x|.}',
  ],
  'company-name': [
    '{発注元：|弊社、|株式会社|(株)|㈱|有限会社|合同会社|一般社団法人|医療法人社団|学校法人|社会福祉法人|特定非営利活動法人|旧|は、|その|}{架空精機|サンプル工業|ABC|みどり会|東京|架空精機工業グループ本社|の|a}{株式会社|（株）|(有)|合同会社|銀行|有限会社|商店||大学病院|ホールディングス|法人}{|様|御中|の|です|は|、東京}',
  ],
  email: [
    "{|a|<|mailto:|:|//|＠|。|.|-|+|@|user:|x/|https://}{jo|jo.b|jo..b|.jo|jo.|o'neil|a+b|太郎|jo_b|-jo|x}{@|＠|@@|@.|(at)}{example.com|example.co.jp|example|example．com|bücher.example|xn--bcher-kva.xn--p1ai|日本語.jp|例え.テスト|1.2.3|3x.png|example.c|example.com.|-a.com|a-.com|a..com|example.com1|example.com_x|192.0.2.1}{|:org/repo.git|/x|です|,|)|@x}",
  ],
  'mac-address': [
    '{|MAC:|MAC: |hwaddr |BSSID |a:|x|-|物理アドレス：|ether |1:}{00:1A:2b:3C:4d:5E|00-1A-2B-3C-4D-5E|001A.2B3C.4D5E|001A2B3C4D5E|001A2B-3C4D5E|00 1A 2B 3C 4D 5E|001A 2B3C 4D5E|00:1A:2B:3C:4D|00:1A:2B:FF:FE:3C:4D:5E|00:00:00:00:00:00|FF:FF:FF:FF:FF:FF|00:1A-2B:3C:4D:5E|00:1G:2B:3C:4D:5E|ABCDEFABCDEF|12:34:56:78:90:12}{|:|-|:01|x|.|です|_}',
  ],
  jwt: [
    '{|Bearer |x|=|eyJ}eyJ{hbGciOiJIUzI1NiJ9|hbGciOiJub25lIn0|hbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ|abc|0eXAiOiJKV1QifQ==|hIjoxfQ}{.|..|}{eyJzdWIiOiIxIn0|eyJ|abcdefgh|}{.|}{abcdefgh|abcdefg|}{|.abcdefgh.abcdefgh|.abcdefgh.abcdefg|=|x}',
  ],
  'tax-id': [
    '{法人番号|会社法人等番号|インボイス番号|登録番号|EIN|ITIN|VAT|VAT number|TIN|tax id|USt-IdNr|納税者番号|番号|T}{ |: |は|:|}{7000012050002|T7000012050002|7000012050003|0100-01-000001|010001000001|12-3456789|123456789|912-78-1234|912781234|912-68-1234|DE123456789|GB999 9999 73|FRXX999999999|ATU12345678|12 3456789|1234567890123}{|年|円|x|-1}',
  ],
  'health-insurance': [
    '{保険者番号|被保険者番号|記号|記号・番号|健康保険証|国民健康保険 記号|member id|Medicare|MBI|policy number|group|subscriber id|株番号}{：| |は|（本人）|: }{06139463|06139464|12345678|1234-567|1EG4-TE5-MK73|1EG4TE5MK73|1EG4-TE5-MK7|ABC123456789|12|2024-01-01|XYZ1234|12・345}{| 番号 678|年|円|%|x}',
  ],
  passport: [
    '{passport|passport no.|Passport Number|旅券|旅券番号|パスポート|passports|travel document|passport photo|passport.|id}{ |: |は| is | no. |\n| - | renewed on |}{TK1234567|123456789|TK123456|tk1234567|C01X00T47|20241120|1234567|AB1234567X|TK 1234567|T12345678|X1234567A}{|.|年|円|x| pages|, TR7654321}',
  ],
  ssn: [
    '{|SSN |ssn: |social security number |社会保障番号 |order |x|-|#}{536-22-1234|536 22 1234|536221234|000-22-1234|666-22-1234|900-22-1234|536-00-1234|536-22-0000|123-45-6789|078-05-1120|536-221234|53-622-1234|***-**-1234}{|-1|x|.|/2}',
  ],
  iban: [
    '{|IBAN: |x|-|iban}{DE89 3704 0044 0532 0130 00|DE89370400440532013000|GB29NWBK60161331926819|GB29 NWBK 6016 1331 9268 18|FR1420041010050500013M02606|NO9386011117947|DE8937040044053201300|XX89370400440532013000|de89370400440532013000|DE89-3704-0044-0532-0130-00|BE68 5390 0754 7034}{|x| 1|.|です}',
  ],
  'my-number': [
    '{|マイナンバー|マイナンバー：|個人番号は|個人番号 |my number: |法人番号|x}{123456789018|1234 5678 9018|1234-5678-9018|123456789017|12345678901|1234567890188|000000000000|１２３４５６７８９０１８|1234 56789018}{|円|x|です|-1}',
  ],
  'residence-card': [
    '{|在留カード|在留カード番号：|residence card |在留資格|カード|x}{AB12345678CD|AB 12345678 CD|ab12345678cd|AB1234567CD|AB12345678C|A12345678CD|ＡＢ１２３４５６７８ＣＤ|AB12345678CDE}{|です|x|1|-}',
  ],
  'pension-number': [
    '{|基礎年金番号|年金番号：|年金手帳|pension number |番号|x}{1234-567890|1234567890|1234 567890|123-4567890|1234-56789|12345-67890|１２３４－５６７８９０}{|です|円|x|-1}',
  ],
  'private-key': [
    '{|x|"}-----BEGIN {RSA |EC |OPENSSH |DSA |ENCRYPTED ||PUBLIC |PGP }{PRIVATE KEY|PRIVATE KEY BLOCK|CERTIFICATE|KEY}-----{\n|\\n| |}{MC4CAQAwBQ|Proc-Type: 4,ENCRYPTED\n\nMC4CAQ|...|}{\n|}{-----END RSA PRIVATE KEY-----|-----END PRIVATE KEY-----|-----END|}{| x}',
  ],
};
