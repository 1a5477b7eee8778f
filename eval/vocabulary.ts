/**
 * Words from which the held-out records draw names at random. Chosen by hand, common and rare, independent of the lists
 * that the recognizers use; no pair is a particular person.
 */

const words = (text: string) => text.trim().split(/\s+/);

export const givenEnglish = words(`
  Amelia Bryce Cordelia Damon Elise Fergus Greta Hector Imogen Jasper Kendra Leopold Maren Nolan Odette Percy Quinn Rosalind
  Silas Thea Ulysses Vera Wendell Yvonne Zachary Aaliyah Omar Priya Rajesh Mei Kwame Chidi Svetlana Dmitri Ingrid Bjorn Lucia
  Mateo Carmen Diego Fatima Yusuf Leila Hiroko Sunil Anjali Tomasz Agnieszka Pierre Camille Heidi Klaus Giulia Marco
  Jennifer Michael Robert Susan Daniel Karen Brian Emily Laura Steven Rachel George Helen Patricia Kevin
`);

export const surnameEnglish = words(`
  Abernathy Bellweather Calloway Drummond Eastman Fairbanks Galloway Hargreaves Ironside Jankowski Kowalczyk Lindqvist Marchetti
  Nakamura Okafor Petrova Quigley Rasmussen Sandoval Thornbury Underhill Vasquez Whitlock Yilmaz Zimmerman Achebe Banerjee Chowdhury
  Delacroix Eriksson Fitzgerald Gutierrez Haddad Ivanova Johansson Kaczmarek Lombardi Mbeki Nguyen Ortega Papadopoulos
  Ramaswamy Schneider Takahashi Urquhart Villanueva Weatherby Xiong Zhang Anderson Mitchell Campbell Stewart Morgan Bennett
  Foster Sullivan Hughes Patterson Simmons
`);

/** Particles, apostrophes and inner capitals. */
export const surnameParticle = words(`
  van_der_Berg de_la_Cruz O'Donnell McAllister D'Angelo von_Hagen bin_Rashid MacIntyre O'Shea van_Dijk
`).map((word) => word.replaceAll('_', ' '));
export const surnameHyphen = words('Smythe-Jones Garcia-Lopez Hall-Barrett Lloyd-Hughes Brandt-Keller');
export const nameAccented = words(`
  José_Muñoz Zoë_Lefèvre Björn_Ström Renée_Côté Łukasz_Wójcik François_Béranger Núria_Solé Søren_Kjær Jürgen_Müller Chloë_Brontë
`).map((word) => word.replaceAll('_', ' '));

export const surnameJapanese = words(`
  佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 清水 山崎 森 阿部 池田 橋本 石川
  前田 藤田 岡田 長谷川 村上 近藤 石井 斎藤 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 岡本 松田 中川 中野 原田 小川 竹内 金子 和田
  柴田 酒井 宮崎 横山 宮本 内田 高木 安藤 島田 谷口 大野 丸山 今井 河野 藤原 村田 武田 上野 杉山 増田 平野 大塚 千葉 久保 松井
`);
export const surnameJapaneseLong = words('五十嵐 佐久間 久保田 小笠原 日比野 宇都宮 長谷部 大久保 二階堂 伊集院');
export const surnameJapaneseRare = words('勅使河原 東海林 四月一日 早乙女 纐纈 砂長谷 百目鬼 小鳥遊 一尺八寸 帯刀');
export const givenJapanese = words(`
  翔太 大輔 健一 拓也 直樹 美咲 陽菜 結衣 葵 さくら 由美子 恵子 真由美 和子 裕子 誠 隆 浩 修 明 蓮 湊 樹 陸 悠真 凛 芽依 莉子
  太郎 花子 一郎 三千代 千尋 翼 光 優 智子 香織 亮 剛 進 勇 幸男 正雄 久美子 洋平 俊介 彩花 七海 愛 舞 萌 ひなた あかり 竜之介 昌宏
`);
export const kanaPairs = words(`
  ヤマダ_タロウ サトウ_ミサキ タカハシ_ケンイチ ワタナベ_ユミコ コバヤシ_ショウタ イガラシ_アオイ ナカムラ_リョウ カトウ_サクラ
  ハセガワ_ヒロシ ヨシダ_マユミ
`).map((word) => word.replaceAll('_', ' '));
export const romajiPairs = words(`
  Haruto_Fujimoto Yuki_Hasegawa Kenji_Morimoto Ayaka_Shimizu Takeshi_Ogawa Naomi_Kurokawa Shota_Igarashi Emi_Tachibana
  Ryo_Matsuda Kaori_Nishimura
`).map((word) => word.replaceAll('_', ' '));

/** Local parts of e-mail addresses. */
export const localParts = words(`
  a.calloway bryce.t c_drummond d-eastman elise99 f.galloway+news greta.h hector_i info.desk jasper.k2 kl.moran m.n.okafor office
  petra.q rosalind.s s.takahashi thea-u ulf.w vera.x yamada.k z.zimmerman tanaka_h suzuki.m sato-k contact22
`);

/** Names from the Commonwealth and other languages, for the longer documents. */
export const givenFurther = words(`
  Alistair Bronwyn Callum Eilidh Gareth Harriet Isla Kieran Morag Niamh Piers Rhiannon Saoirse Tamsin Verity Clive Hazel Poppy
  Tyler Madison Brandon Kayla Savannah Shanice Jamal Marisol Xavier Destiny Wyatt Autumn Doris Terrence Keisha Hunter Chase Dakota
  Gwendolen Barnabas Cassandra Marjorie Beryl Constance Shelby Curtis Yolanda Micah Serenity Bradley Elspeth Finbar Winifred Otis
  Delphine Gideon Celeste Emmett Wanda Bianca Hollis Reuben Ngozi Thabo Amina Minh Ayşe Zofia Andrei Freja Chiara João Yasmin Khalid
  Babajide Dineo Farida Milica Orsolya Usman Zanele Blessing Ekaterina Gabriela Jakub Kwabena Rania Tariq Ulla Wanjiku Yosef
`);
export const surnameFurther = words(`
  Ashworth Blenkinsop Cartwright Entwistle Featherstone Greenhalgh Illingworth Kershaw Molyneux Pemberton Tattersall Barnes Price
  Webb Marsh Holt Pryce McKenna Begum Hussain Khan Whitaker Broussard Delgado Eubanks Fontenot Hollingsworth Ibarra Kessler Lockhart
  McCullough Ochoa Pruitt Rutledge Stroud Thibodeaux Upshaw Winslow Brooks Reed Hill Woods Stone Rice Abbott Dempsey Fairclough
  Hutchinson Keating Maddox Norwood Prescott Sinclair Thackeray Wainwright Aldridge Cromwell Frost Hawkins Lancaster Monroe Pike
  Wolfe Fox Hart Snow Atkinson Carmichael Esposito Garrison Iverson Kirkland Livingston Pritchard Sheffield Tillman Vaughn Beck Peck
  Eze Nkosi Diallo Demir Kamińska Popescu Nilsson Carvalho Nwosu Molefe Hossain Petrović Szabó Kovacs Virtanen Horvat Siddiqui
`);
export const givenIndian = words(`
  Aditya Bhavna Chetan Deepika Gaurav Harini Ishaan Jyoti Karthik Lakshmi Manish Nandini Pranav Ritu Sandeep Tanvi Vaishnavi Kavya
`);
export const surnameIndian = words(`
  Agarwal Bhattacharya Deshmukh Iyer Kulkarni Mukherjee Nair Patil Reddy Saxena Subramanian Tripathi Yadav Menon Bose Gupta Kaur
`);
export const familySingapore = words('Tan Lim Ng Chua Goh Ong Lee Wong Cheng Yip Koh Teo');
export const syllablesSingapore = words('Wei Jun Siew Kok Boon Kah Hui Jia Li Mei Zhi Xin Hao Ting Keat Lan Ming Yee');
/** Japanese names, for the longer documents. */
export const surnameJapaneseFurther = words(`
  佐野 黒田 市川 水野 桜井 菊地 新井 松尾 大西 熊谷 片山 本田 関 早川 矢野 荒木 菅原 須藤 川崎 服部 古川 星野 尾崎 栗原 堀 岩崎 秋山 北村
  三宅 土屋 角田 堤 児玉 白石 成田 大島 平井 高田 中山 吉村 西田 河合 榎本 落合 神谷 小野寺 相馬 日高 宇野 船越 若林 篠原 津田 米田 真田
  風間 有馬 氏家 茂木 沼田 河村 坂口 杉本 野村 菅野 松岡 内藤 広瀬 浅井 平山 久野 根本 佐伯 江口 工藤 荒井 南 古賀 横井 稲葉
`);
export const givenJapaneseFurther = words(`
  智也 恵美 麻衣 康平 由香 純子 雅人 慎一 綾乃 優斗 咲良 遥 悠 美穂 信行 千夏 朋子 健 清 昭 菜摘 晴美 ゆい かおり みどり 大翔 琴音 徹 豊 実
  健太郎 正樹 恵理子 雄大 孝之 典子 結 蒼 颯太 琴 律 博之 京子 千代 喜一 貴志 早苗 龍一 静香 さやか まゆみ あおい はると つむぎ めぐみ
  雅美 亜由美 慎吾 剛志 千鶴 秀樹 真理子 翔 拓海 哲也 典明 佑樹 茜 俊 瞳 良太 りん たかし ゆきこ みのり 仁 葉月 尚子 康弘
`);
export const surnameJapaneseSingle = words(`
  森 林 原 関 東 南 辻 堀 谷 岡 星 畑 峯 泉 城 桂 柳 榊 島 西 北 牧 窪 浜 宮 旭
`);
export const givenJapaneseKana = words(`
  さくら みゆき ひかり あおい かおり ゆかり あかり まこと みのる すみれ ひなた こころ はるか あゆみ しのぶ ほのか めい えり アヤ エミ カズコ ミサ レナ マリ
`);
export const hiraganaPairs = words(`
  くろだ_ともや みずの_えみ さくらい_まい くまがい_こうへい はやかわ_ゆか ふるかわ_はるか なりた_けんたろう おおしま_みか たかだ_まさき
  よしむら_ようこ もりもと_さおり おのでら_のりこ
`).map((word) => word.replaceAll('_', ' '));
